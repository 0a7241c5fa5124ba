# Stand-ins for the commands of XDC, SDC and the vendor's Tcl, run by scripts/constraints.py. They look up in the
# netlist whatever a file names and fail on what is not there. At the end every way between two clocks must have its limit.
#
#   tclsh scripts/constraints.tcl NETLIST COMMAND FILE...
#
# NETLIST sets: ports, drives (ports that clock something), cells (dict: name, properties), pins, instances (dict: path, module in
# the source), modules, crossings (register that takes from another clock, its clock's port, the register that it takes from, that
# one's port), resets (the same of registers that another clock resets). COMMAND: top, flow.

set wrong {}
set used 0
# Whether there is a netlist: get_cells and get_pins find nothing before synthesis.
set netlisted 1
array set clocks {}
# What limits ways: {command from to limit}, names of clocks and cells. Pins that set_false_path leads to.
set limits {}
set false {}
# A project's files of constraints, and {file,property} of each.
set constraints {}
array set properties {}

proc complain {what} {
    global wrong reading
    lappend wrong "$reading: $what"
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
    global used netlisted
    set quiet [has arguments -quiet]
    set deep [expr {[has arguments -hierarchical] | [has arguments -hier]}]
    set filter [take arguments -filter]
    if {$filter ne "" && ![llength $arguments]} { set arguments [list *] }
    rest get_$kind $arguments 1
    if {$kind ne "ports" && !$netlisted} { complain "get_$kind before synthesis" }
    set found {}
    foreach pattern [lindex $arguments 0] {
        set literal [string map {[ \\[ ] \\] . \\. ( \\( ) \\)} $pattern]
        set expression "^[string map {* [^/]*} $literal]\$"
        if {$deep} { set expression "(^|/)[string range $expression 1 end]" }
        set hits [lsearch -all -inline -regexp $names $expression]
        if {$filter ne ""} { set hits [lmap cell $hits { if {![passes $filter $cell]} continue; set cell }] }
        incr used
        if {![llength $hits] && !$quiet} { complain "get_$kind {$pattern} $filter matches nothing" }
        lappend found {*}$hits
    }
    return $found
}

# Whether a cell has one of the names that a filter gives for its module.
proc passes {filter cell} {
    foreach one [split [string map {|| |} $filter] |] {
        if {![regexp {^\s*(REF_NAME|ORIG_REF_NAME) == (\w+)\s*$} $one -> property value]} { error "-filter {$filter}: not known here" }
        if {[dict exists $::cells $cell $property] && [dict get $::cells $cell $property] eq $value} { return 1 }
    }
    return 0
}

proc get_cells {args} { matching cells [dict keys $::cells] $args }
proc get_pins {args} { matching pins $::pins $args }
proc get_ports {args} { matching ports $::ports $args }

proc get_clocks {args} {
    global clocks cells
    set of [take args -of_objects]
    set found {}
    incr ::used
    if {$of ne ""} {
        # Pins C of registers.
        set ports [lmap pin $of { dict get $cells [file dirname $pin] CLOCK }]
        foreach name [array names clocks] {
            if {[lindex $clocks($name) 1] in $ports} { lappend found $name }
        }
        if {![llength $found]} { complain "get_clocks: no clock reaches $of" }
        return $found
    }
    foreach name [lindex $args 0] {
        if {![info exists clocks($name)]} { complain "get_clocks $name: no such clock" } else { lappend found $name }
    }
    return $found
}
proc all_clocks {} { return [array names ::clocks] }

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
proc set_clock_uncertainty {value on} {
    if {![string is double -strict $value] || ![llength $on]} { complain "set_clock_uncertainty $value of {$on}" }
}
proc set_system_jitter {value} {
    if {![string is double -strict $value]} { complain "set_system_jitter $value" }
}

# One end of paths: given, and something.
proc end {command listed side} {
    upvar 1 $listed arguments
    if {[lsearch -exact $arguments $side] < 0} { return {} }
    set value [take arguments $side]
    if {$value eq ""} { complain "$command $side nothing" }
    return $value
}

proc limit {command arguments} {
    set from [end $command arguments -from]
    set to [end $command arguments -to]
    rest $command $arguments 1
    set value [lindex $arguments 0]
    if {![string is double -strict $value]} { complain "$command: a limit of $value" }
    lappend ::limits [list $command [as_set $from] [as_set $to] $value]
}
proc as_set {names} {
    set found {}
    foreach name $names { dict set found $name 1 }
    return $found
}

proc set_max_delay {args} {
    if {[has args -datapath_only] && [lsearch -exact $args -from] < 0} { complain "set_max_delay -datapath_only without -from" }
    limit set_max_delay $args
}
proc set_bus_skew {args} { limit set_bus_skew $args }
proc set_false_path {args} {
    set hold [has args -hold]
    end set_false_path args -from
    set to [end set_false_path args -to]
    rest set_false_path $args 0
    if {!$hold} { lappend ::false {*}$to }
}

proc get_property {args} {
    global clocks cells
    set least [has args -min]
    rest get_property $args 2
    lassign $args name objects
    if {$name eq "PERIOD"} {
        set periods [lmap clock $objects { lindex $clocks($clock) 0 }]
        if {[llength $periods] == 1 || $least && [llength $periods]} { return [lindex [lsort -real $periods] 0] }
    }
    if {$name in {PROGRESS STATUS}} { return "100%" }
    complain "get_property $name of {$objects}"
    return 1
}

proc set_property {name value objects} {
    global ports properties drives
    if {![llength $objects]} { complain "set_property $name of nothing" }
    foreach object $objects {
        set properties($object,$name) $value
        if {$name eq "HD.CLK_SRC" && ($object ni $drives || ![regexp {^BUFG\w*_X\d+Y\d+$} $value])} { complain "set_property $name $value of $object" }
    }
    if {$name eq "SCOPED_TO_REF"} { named "set_property $name" $value }
    if {$name eq "top" && $value ni $::modules} { complain "no module $value" }
}

# Every instance of a module must have that name after synthesis.
proc named {command module} {
    set instances [dict keys [dict filter $::instances value $module]]
    if {![llength $instances]} { complain "$command $module: no such module" }
    foreach path $instances {
        if {[dict get $::cells $path REF_NAME] ne $module} {
            complain "$command $module: after synthesis $path is a [dict get $::cells $path REF_NAME]"
            return
        }
    }
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
    set set [take args -fileset]
    has args -norecurse
    set names [files [lindex $args end]]
    if {$set eq "constrs_1"} { lappend ::constraints {*}$names }
}
proc read_xdc {args} {
    set module [take args -ref]
    take args -mode
    rest read_xdc $args 1
    if {$module ne ""} { named "read_xdc -ref" $module } else { foreach file [files [lindex $args 0]] { look $file } }
}
# Takes in a file; what goes wrong in it is said of it.
proc look {file} {
    set outside $::reading
    set ::reading $file
    if {[catch { reader eval [list source $file] } said]} { complain $said }
    set ::reading $outside
}
proc synth_design {args} {
    set top [take args -top]
    set part [take args -part]
    take args -mode
    if {$top ni $::modules} { complain "synth_design: no module $top" }
    if {$part eq ""} { complain "synth_design: no part" }
    rest synth_design $args 0
    set ::netlisted 1
}
proc create_project {args} {
    has args -force
    if {[take args -part] eq ""} { complain "create_project: no part" }
    rest create_project $args 2
}
proc send_msg_id {id severity text} { complain "$severity: $text" }
proc get_files {args} { files [lindex $args end] }
proc current_fileset {args} { return sources }
proc get_filesets {name} { return $name }
proc get_runs {name} { return $name }
# Tcl is for the netlist: it names cells.
proc launch_runs {run} {
    foreach file $::constraints {
        if {[string match *.tcl $file] && ![unused $file SYNTHESIS]} { complain "$run reads $file" }
    }
}
proc unused {file step} {
    global properties
    return [expr {[info exists properties($file,USED_IN_$step)] && !$properties($file,USED_IN_$step)}]
}
# The netlist with the constraints of implementation, in their order.
proc open_run {run} {
    global properties
    set ::netlisted 1
    foreach order {EARLY NORMAL LATE} {
        foreach file $::constraints {
            set has [expr {[info exists properties($file,PROCESSING_ORDER)] ? $properties($file,PROCESSING_ORDER) : "NORMAL"}]
            if {$has eq $order && ![unused $file IMPLEMENTATION]} { look $file }
        }
    }
}
set ignored {
    opt_design place_design phys_opt_design route_design report_timing_summary report_utilization report_cdc report_bus_skew
    report_methodology write_checkpoint wait_on_run update_compile_order
}
proc ignore {args} {}

# Whether a limit holds from one register or its clock to another or its clock, bits and all.
proc holds {names bits clock} {
    if {[dict exists $names $clock]} { return 1 }
    foreach bit $bits { if {![dict exists $names $bit]} { return 0 } }
    return 1
}

# Every way from one clock to another has its limit, which begins at the clock: a period of the side that it comes from, of a word in
# memory a period of the side that reads; the bits of a pointer besides arrive within the shorter of the two. A reset's beginning
# may be no path.
proc complete {skews} {
    global crossings resets limits false clocks cells
    foreach cell [dict keys $cells] { dict lappend bits [regsub {\[\d+\]$} $cell ""] $cell }
    foreach name [array names clocks] { dict set clock [lindex $clocks($name) 1] $name }
    foreach {to to_port from from_port} $crossings {
        if {![dict exists $clock $to_port] || ![dict exists $clock $from_port]} { complain "$to_port or $from_port has no clock"; continue }
        set to_clock [dict get $clock $to_port]
        set from_clock [dict get $clock $from_port]
        set to_period [lindex $clocks($to_clock) 0]
        set from_period [lindex $clocks($from_clock) 0]
        set to_bits [dict get $bits $to]
        set from_bits [dict get $bits $from]
        set needs [list [list set_max_delay [expr {[string match */m_ram_reg $to] ? $to_period : $from_period}]]]
        if {$skews && [string match */meta_reg $to] && [llength $to_bits] > 1} { lappend needs [list set_bus_skew [expr {min($to_period, $from_period)}]] }
        foreach need $needs {
            lassign $need command most
            # Registers that are alike may be one after synthesis, with the name of either.
            set starts [expr {$command eq "set_bus_skew" ? $from_bits : {no register}}]
            set has 0
            foreach limit $limits {
                lassign $limit given froms tos value
                if {$given eq $command && [holds $froms $starts $from_clock] && [holds $tos $to_bits $to_clock]} {
                    set has 1
                    if {$value > $most} { complain "$command $value from $from to $to, where $most is the most" }
                }
            }
            if {!$has} { complain "no $command from $from to $to" }
        }
    }
    set false [as_set $false]
    foreach {to to_port from from_port} $resets {
        set ends [lmap bit [dict get $bits $to] { string cat $bit /PRE }]
        set is_false [holds $false $ends ""]
        foreach limit $limits {
            lassign $limit given froms tos
            if {$given eq "set_max_delay" && [dict exists $froms [dict get $clock $from_port]] && [dict exists $tos [dict get $clock $to_port]]} { set is_false 1 }
        }
        if {!$is_false} { complain "no set_false_path to $to" }
    }
}

# Files are read with variables of their own.
interp create reader
foreach command {
    get_cells get_pins get_ports get_clocks all_clocks create_clock set_clock_uncertainty set_system_jitter set_max_delay set_bus_skew
    set_false_path get_property set_property read_verilog add_files read_xdc synth_design create_project get_files current_fileset
    get_filesets get_runs launch_runs open_run send_msg_id
} { interp alias reader $command {} $command }
foreach command $ignored { interp alias reader $command {} ignore }
set given [lassign $argv netlist how reading]
reader eval [list set argv $given]
source $netlist
if {$how eq "flow"} { set netlisted 0 }
look $reading
if {![llength $wrong]} { complete [expr {$how eq "flow"}] }

foreach line $wrong { puts stderr $line }
puts "$used look-ups, [llength $limits] limits"
exit [expr {[llength $wrong] > 0}]
