// SPDX-License-Identifier: MIT OR Apache-2.0
// The names of UVM that weft_uvm_pkg uses, for its lint where UVM is not there. Nothing here does anything: a simulator has UVM's own.
package uvm_pkg;
    typedef enum int {UVM_LOW = 100} uvm_verbosity;

    virtual class uvm_object;
        function new(string name = "");
        endfunction
    endclass

    class uvm_phase extends uvm_object;
        function new(string name = "");
            super.new(name);
        endfunction
    endclass

    virtual class uvm_sequence_item extends uvm_object;
        function new(string name = "");
            super.new(name);
        endfunction
    endclass

    virtual class uvm_component extends uvm_object;
        function new(string name, uvm_component parent);
            super.new(name);
        endfunction
        virtual function void build_phase(uvm_phase phase);
        endfunction
        virtual function void check_phase(uvm_phase phase);
        endfunction
        virtual function void report_phase(uvm_phase phase);
        endfunction
        virtual function void final_phase(uvm_phase phase);
        endfunction
        function void report(string id, string message);
        endfunction
    endclass

    virtual class uvm_scoreboard extends uvm_component;
        function new(string name, uvm_component parent);
            super.new(name, parent);
        endfunction
    endclass

    class uvm_tlm_analysis_fifo #(type T = int) extends uvm_component;
        function new(string name, uvm_component parent = null);
            super.new(name, parent);
        endfunction
        virtual function bit try_get(output T item);
            return 0;
        endfunction
    endclass
endpackage
