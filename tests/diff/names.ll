; Readable names stand beside symbols, and pair those that were mangled otherwise.
;
; RUN: sed -e 's/\$s4main3fooyySiF/_T04main3fooySiF/' -e 's/Tgm5/Tt1g5/' -e 's/add i64/sub i64/' %s > %t.ll
; RUN: not %silc diff %s %t.ll | FileCheck %s
; RUN: not %silc diff %s %t.ll --format json | FileCheck %s --check-prefix=JSON
; RUN: not %silc diff %s %t.ll --format html | FileCheck %s --check-prefix=HTML
; RUN: not %silc diff %s %t.ll --emit asm | FileCheck %s --check-prefix=ASM
;
; CHECK: different (body) $s4main3fooyySiF → _T04main3fooySiF main.foo(Swift.Int) -> ()
; CHECK: @$s4main3fooyySiF → @_T04main3fooySiF (same by demangled-name): different in body
; CHECK-NEXT: {{^}}main.foo(Swift.Int) -> (){{$}}
; JSON: "demangled":"main.foo(Swift.Int) -> ()","demangled_in_b":null
; JSON-SAME: "name":"$s4main3fooyySiF","name_in_b":"_T04main3fooySiF","pairing":"demangled-name"
; What Swift 6.0 and 6.2 call the same specialization.
; JSON-SAME: "name":"$sSa9repeating5countSayxGx_SitcfCs5UInt8V_Tgm5","name_in_b":"$sSa9repeating5countSayxGx_SitcfCs5UInt8V_Tt1g5","pairing":"demangled-name"
; HTML: "demangled":"main.foo(Swift.Int) -> ()"
; ASM: $s4main3fooyySiF main.foo(Swift.Int) -> ()

define void @"$s4main3fooyySiF"(i64 %0, ptr %1) {
  %3 = add i64 %0, 1
  store i64 %3, ptr %1, align 8
  ret void
}

define i64 @"$sSa9repeating5countSayxGx_SitcfCs5UInt8V_Tgm5"(i64 %0) {
  ret i64 %0
}
