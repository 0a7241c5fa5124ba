// Ends in the requested way.
module stop (
    input  wire       clk,
    input  wire [2:0] how,
    output reg  [7:0] count
);
    initial count = 0;
    always @(posedge clk) begin
        count <= count + 8'd1;
        case (how)
            1: $fatal(1, "the count was %0d", count);
            2: $stop;
            3: $finish;
            4: assert (count > 250) else $error("small count");
            default: ;
        endcase
    end
endmodule
