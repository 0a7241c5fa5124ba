# Stand-ins for the commands of XDC, SDC and the vendor's Tcl, run by scripts/constraints.py. They look up in the
# netlist whatever a file names and fail on what is not there.
#
#   tclsh scripts/constraints.tcl NETLIST COMMAND FILE...
#
# NETLIST sets: ports, cells (dict: name, properties), pins, instances (dict: module, paths), alias (dict: path/port, top port),
# modules. COMMAND: top, scoped MODULE, flow.

set wrong {}
set used 0
array set clocks {}
array set scope {path "" module ""}
array set touched {}

proc complain {what} {
    global wrong reading scope
    set where [expr {$scope(path) eq "" ? "" : " ($scope(path))"}]
    lappend wrong "$reading$where: $what"
}

# An option's value, or a switch, taken out of a list of arguments.
proc take {listed name} {
    upvar 1 $listed arguments
    set at [lsearch -exact $arguments $name]
    if {$at < 0} { return "" }
    set value [lindex $arguments $at+1]
    set arguments [lreplace $arguments $at $at+1]
    return $value
}

proc has {listed name} {
    upvar 1 $listed arguments
    set at [lsearch -exact $arguments $name]
    if {$at < 0} { return 0 }
    set arguments [lreplace $arguments $at $at]
    return 1
}

# What is left of a command's arguments: so many, and no option that the stand-in does not know.
proc rest {command arguments count} {
    foreach one $arguments {
        if {[string match -* $one] && ![string is double -strict $one]} { complain "$command: unknown option $one" }
    }
    if {$count >= 0 && [llength $arguments] != $count} { complain "$command: [llength $arguments] arguments in place of $count" }
}

# Names that a list of patterns matches: brackets are a bus's, a star stops at a slash.
proc matching {kind names arguments} {
    global scope touched used reading
    set quiet [has arguments -quiet]
    set deep [expr {[has arguments -hierarchical] | [has arguments -hier]}]
    rest get_$kind $arguments 1
    set found {}
    foreach pattern [lindex $arguments 0] {
        set literal [string map {[ \\[ ] \\] . \\.} $pattern]
        set expression "^[string map {* [^/]*} $literal]\$"
        if {$deep} { set expression "(^|/)[string range $expression 1 end]" }
        set hits {}
        foreach name $names {
            if {[regexp -- $expression $name]} { lappend hits [expr {$scope(path) eq "" ? $name : "$scope(path)/$name"}] }
        }
        incr used
        if {[llength $hits]} { set touched($reading,$pattern) 1 } elseif {!$quiet} {
            complain "get_$kind {$pattern} matches nothing"
        } elseif {![info exists touched($reading,$pattern)]} { set touched($reading,$pattern) 0 }
        lappend found {*}$hits
    }
    return $found
}

proc get_cells {args} { matching cells $::names(cells) $args }
proc get_pins {args} { matching pins $::names(pins) $args }

# From now on names are those of an instance; of the top again with an empty path.
proc enter {path module} {
    global scope names
    array set scope [list path $path module $module]
    set names(cells) [within $path [dict keys $::cells]]
    set names(pins) [within $path $::pins]
}

proc within {path names} {
    if {$path eq ""} { return $names }
    set found {}
    set from [expr {[string length $path] + 1}]
    foreach name [lsearch -all -inline $names "$path/*"] { lappend found [string range $name $from end] }
    return $found
}

proc get_ports {args} {
    global scope alias used
    if {$scope(path) eq ""} { return [matching ports $::ports $args] }
    set key "$scope(path)/[lindex $args end]"
    incr used
    if {![dict exists $alias $key]} {
        complain "get_ports [lindex $args end]: no such port"
        return {}
    }
    return [dict get $alias $key]
}

proc get_clocks {args} {
    global clocks
    set of [take args -of_objects]
    set found {}
    incr ::used
    if {$of ne ""} {
        foreach name [array names clocks] {
            if {[lindex $clocks($name) 1] in $of} { lappend found $name }
        }
        if {![llength $found]} { complain "get_clocks: no clock reaches $of" }
        return $found
    }
    foreach name [lindex $args 0] {
        if {![info exists clocks($name)]} { complain "get_clocks $name: no such clock" } else { lappend found $name }
    }
    return $found
}

proc create_clock {args} {
    set name [take args -name]
    set period [take args -period]
    rest create_clock $args 1
    set on [lindex $args 0]
    if {![string is double -strict $period] || $period <= 0} { complain "create_clock $name: period $period" }
    if {[llength $on] != 1} { complain "create_clock $name: [llength $on] ports" }
    if {[lindex $on 0] ni $::drives} { complain "create_clock $name: [lindex $on 0] clocks nothing" }
    set ::clocks($name) [list $period [lindex $on 0]]
}

# Ends of paths: given, and something.
proc path {command listed} {
    upvar 1 $listed arguments
    set quiet [has arguments -quiet]
    foreach side {-from -to} {
        if {[lsearch -exact $arguments $side] >= 0} {
            set value [take arguments $side]
            if {$value eq "" && !$quiet} { complain "$command $side nothing" }
        }
    }
}

proc limit {command arguments} {
    path $command arguments
    rest $command $arguments 1
    if {![string is double -strict [lindex $arguments 0]]} { complain "$command: a limit of [lindex $arguments 0]" }
}

proc set_max_delay {args} {
    if {[has args -datapath_only] && [lsearch -exact $args -from] < 0} { complain "set_max_delay -datapath_only without -from" }
    limit set_max_delay $args
}
proc set_bus_skew {args} { limit set_bus_skew $args }
proc set_false_path {args} {
    has args -hold
    path set_false_path args
    rest set_false_path $args 0
}

proc get_property {name object} {
    global clocks cells
    if {$name eq "PERIOD" && [info exists clocks($object)]} { return [lindex $clocks($object) 0] }
    if {[dict exists $cells $object $name]} { return [dict get $cells $object $name] }
    if {$name in {PROGRESS STATUS}} { return "100%" }
    complain "get_property $name of {$object}"
    return 1
}

proc set_property {name value objects} {
    foreach object $objects {
        # A property that the source has as well must say the same there.
        if {[dict exists $::cells $object] && ![dict exists $::cells $object $name]} { complain "$object has no $name in the source" }
    }
    if {![llength $objects]} { complain "set_property $name of nothing" }
    if {$name eq "SCOPED_TO_REF" && ![dict exists $::instances $value]} { complain "set_property $name: no module $value" }
    if {$name eq "top" && $value ni $::modules} { complain "no module $value" }
}

# The vendor's flow: every file exists, every module is known.
proc files {names} {
    foreach name $names {
        incr ::used
        if {![file exists $name]} { complain "no file $name" }
    }
    return $names
}
proc read_verilog {args} { files [lindex $args end] }
proc add_files {args} {
    take args -fileset
    has args -norecurse
    files [lindex $args end]
}
proc read_xdc {args} {
    set module [take args -ref]
    take args -mode
    if {$module ne "" && ![dict exists $::instances $module]} { complain "read_xdc -ref $module: no such module" }
    files [lindex $args end]
}
proc synth_design {args} {
    set top [take args -top]
    set part [take args -part]
    take args -mode
    if {$top ni $::modules} { complain "synth_design: no module $top" }
    if {$part eq ""} { complain "synth_design: no part" }
    rest synth_design $args 0
}
proc create_project {args} {
    has args -force
    if {[take args -part] eq ""} { complain "create_project: no part" }
    rest create_project $args 2
}
proc get_files {args} { files [lindex $args end] }
proc current_fileset {args} { return sources }
proc get_filesets {name} { return $name }
proc get_runs {name} { return $name }
foreach command {
    opt_design place_design phys_opt_design route_design report_timing_summary report_utilization report_cdc report_bus_skew
    report_methodology write_checkpoint launch_runs wait_on_run open_run update_compile_order
} { proc $command {args} {} }

set commands [lassign $argv netlist how]
source $netlist
enter "" ""

if {$how eq "top"} {
    foreach reading $commands { if {[catch {source $reading} said]} { complain $said } }
} elseif {$how eq "scoped"} {
    # Clocks first, from a file for the top; then pairs of a module and its file.
    set commands [lassign $commands reading]
    if {[catch {source $reading} said]} { complain $said }
    foreach {module reading} $commands {
        foreach path [dict get $instances $module] {
            enter $path $module
            if {[catch {source $reading} said]} { complain $said }
        }
        enter "" ""
    }
} else {
    set rest [lassign $commands reading]
    set argv $rest
    set argc [llength $rest]
    if {[catch {source $reading} said]} { complain $said }
}

foreach key [lsort [array names touched]] {
    if {!$touched($key)} { lappend wrong "[string map {, ": "} $key] matches nothing in any instance" }
}
foreach line $wrong { puts stderr $line }
puts "$used look-ups"
exit [expr {[llength $wrong] > 0}]
