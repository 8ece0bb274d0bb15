//! Every form of expression, type and pattern; precedence.

use super::check;

#[test]
fn names_and_application() {
    check(&[
        ("x", "x"),
        ("x'", "x'"),
        ("_x1", "_x1"),
        ("f x y", "((f x) y)"),
        ("f (x) [y]", "((f «x») [y])"),
        ("M.N.x", "M.N.x"),
        ("f M.x", "(f M.x)"),
        ("r.a.0.b", "r.a.0.b"),
        ("t.0.1", "t.0.1"),
        ("(f x).y", "«(f x)».y"),
        ("M.(x + y)", "M.((x + y))"),
        ("f \\x -> x y", "(f (\\x -> (x y)))"),
        ("#c", "#c()"),
        ("#c x #d", "#c(x,#d())"),
        ("f #c x", "((f #c()) x)"),
    ]);
}

#[test]
fn brackets() {
    check(&[
        ("()", "tuple()"),
        ("(x)", "«x»"),
        ("(x, y,)", "tuple(x,y)"),
        ("(x,)", "1:4: E0110: expected an expression, found `)`"),
        ("[]", "[]"),
        ("[1, 2,]", "[1,2]"),
        ("{}", "{}"),
        ("{x, y = 1, 0 = z,}", "{x,y=1,0=z}"),
        ("a[i]", "a[i]"),
        ("a [i]", "(a [i])"),
        ("a[i, j][k]", "a[i,j][k]"),
        ("(a)[i]", "«a»[i]"),
        ("f a[i]", "(f a[i])"),
        ("f [a][i]", "(f [a][i])"),
        ("r.a[0].b", "r.a[0].b"),
        ("a[:]", "a[::]"),
        ("a[i:]", "a[i::]"),
        ("a[:j]", "a[:j:]"),
        ("a[i:j]", "a[i:j:]"),
        ("a[i:j:k]", "a[i:j:k]"),
        ("a[::-1]", "a[::(- 1)]"),
        ("a[i::k]", "a[i::k]"),
        ("a[:j:k]", "a[:j:k]"),
        ("a[i, 1:n, ::2]", "a[i,1:n:,::2]"),
        ("a[]", "1:3: E0110: an index or a slice was expected between these brackets"),
    ]);
}

#[test]
fn operators_by_precedence() {
    check(&[
        ("a + b * c", "(a + (b * c))"),
        ("a * b + c", "((a * b) + c)"),
        ("a - b - c", "((a - b) - c)"),
        ("a ** b ** c", "((a ** b) ** c)"),
        ("-a ** b", "((- a) ** b)"),
        ("-f x", "(- (f x))"),
        ("f -x", "(f - x)"),
        ("- - ", "1:5: E0111: expected an expression, found the end of the text"),
        ("- -5", "(- (- 5))"),
        ("!a && b", "((! a) && b)"),
        ("a // b %% c / d % e", "((((a // b) %% c) / d) % e)"),
        ("a << b + c >> d", "((a << (b + c)) >> d)"),
        ("a & b == c", "((a & b) == c)"),
        ("a | b ^ c & d", "(((a | b) ^ c) & d)"),
        ("a < b == c", "((a < b) == c)"),
        ("a == b && c != d || e <= f", "(((a == b) && (c != d)) || (e <= f))"),
        ("x + 1 |> f |> g", "(((x + 1) |> f) |> g)"),
        ("f <| g <| x + 1", "(f <| (g <| (x + 1)))"),
        ("a ++ b", "(a ++ b)"),
        ("a +^ b *^ c", "(a +^ (b *^ c))"),
        ("a >>= b", "(a >>= b)"),
        ("f >-> g <-< h", "((f >-> g) <-< h)"),
        ("a `f` b `M.g` c || d", "((a f b) M.g (c || d))"),
        ("a M.+ b", "(a M.+ b)"),
        ("a i32.* b i32.+ c", "((a i32.* b) i32.+ c)"),
        ("x : i32", "(x : i32)"),
        ("x + y :> [n]t : t", "(((x + y) :> [n]t) : t)"),
        ("0..<n", "range(0..<n)"),
        ("1...n", "range(1...n)"),
        ("1..3...9", "range(1..3...9)"),
        ("n-1..>0", "range((n - 1)..>0)"),
        ("1.0..1.5..<2.0", "range(1.0=1..1.5=1.5..<2.0=2)"),
        ("0..<n :> [n]i64", "(range(0..<n) :> [n]i64)"),
    ]);
}

#[test]
fn sections() {
    check(&[
        ("(+)", "+"),
        ("(-)", "-"),
        ("(M.+)", "M.+"),
        ("(`f`)", "f"),
        ("(+ 1)", "(_ + 1)"),
        ("(-1)", "«(- 1)»"),
        ("(1 -)", "(1 - _)"),
        ("(x `f`)", "(x f _)"),
        ("(`f` x)", "(_ f x)"),
        ("(a * b +)", "((a * b) + _)"),
        (
            "(a + b *)",
            "1:8: E0110: this operator binds tighter than the one before it; put the operand in parentheses",
        ),
        ("(<| x)", "(_ <| x)"),
        ("(.a)", "(_.a)"),
        ("(.a.0.b)", "(_.a.0.b)"),
        ("(.a[i].b)", "(\\it''' -> it'''.a[i].b)"),
        ("(.[i, 1:2])", "(_[i,1:2:])"),
    ]);
}

#[test]
fn bindings() {
    check(&[
        ("let x = 1 in x", "(let x = 1 in x)"),
        ("let x = 1 let y = 2 in x", "(let x = 1 in (let y = 2 in x))"),
        ("let x = 1 in let y = 2 in x + y", "(let x = 1 in (let y = 2 in (x + y)))"),
        ("let (x, _) = p in x", "(let tuple(x,_) = p in x)"),
        ("let x: i32 = 1 in x", "(let (x : i32) = 1 in x)"),
        ("let [n] (xs: [n]i32) = f in n", "(let [n] (xs : [n]i32) = f in n)"),
        ("let {a, b = c} = r in a", "(let {a,b=c} = r in a)"),
        ("let f x y = x in f", "(let f x y = x in f)"),
        ("let f [n] 'a (x: [n]a) : a = x[0] in f", "(let f [n] 'a (x : [n]a) : a = x[0] in f)"),
        ("let a[i] = v in a", "(let a[i] = v in a)"),
        ("let a[i, 0:2] = v in a", "(let a[i,0:2:] = v in a)"),
        ("let r.x.y = v in r", "(let r.x.y = v in r)"),
        ("1 + let x = 2 in x * 3", "(1 + (let x = 2 in (x * 3)))"),
        ("a with [i] = v", "(a with [i] = v)"),
        ("a with [0] = 1 with [1] = 2 + 3", "((a with [0] = 1) with [1] = (2 + 3))"),
        ("r with x[i] = v", "(r with x = (r.x with [i] = v))"),
        ("a with [i].x = v", "(a with [i] = (a[i] with x = v))"),
        ("a with [i][j] = v", "(a with [i,j] = v)"),
        (
            "f r with x[i] = v",
            "(let updated''' = (f r) in (updated''' with x = (updated'''.x with [i] = v)))",
        ),
        ("let r.x[i] = v in r", "(let r = (r with x = (r.x with [i] = v)) in r)"),
        ("let a[i].x = v in a", "(let a = (a with [i] = (a[i] with x = v)) in a)"),
        (
            "a with [i].x[j] = v",
            "(a with [i] = (let updated''' = (intrinsics.copy a[i]) in (updated''' with x = (updated'''.x with [j] = v))))",
        ),
        ("r with x.y = v", "(r with x.y = v)"),
        ("f a with [i] = v", "((f a) with [i] = v)"),
        ("\\x (y: i32) -> x", "(\\x (y : i32) -> x)"),
        ("\\x : i32 -> x : t", "(\\x : i32 -> (x : t))"),
        ("assert (x < 1) y + 1", "(assert «(x < 1)» (y + 1))"),
        ("#[unroll] loop x for i < 2 do x", "(#[unroll] (loop x for i < 2 do x))"),
        ("#[flattening(no_outer, x(1))] f x", "(#[flattening(no_outer, x(1))] (f x))"),
    ]);
}

#[test]
fn control() {
    check(&[
        ("if a then b else c + d", "(if a then b else (c + d))"),
        ("if a then b else if c then d else e", "(if a then b else (if c then d else e))"),
        ("if a then if b then c else d else e", "(if a then (if b then c else d) else e)"),
        ("loop x = 0 for i < n do x + i", "(loop x = 0 for i < n do (x + i))"),
        ("loop (x, y) for z in zs do (y, z)", "(loop tuple(x,y) for z in zs do tuple(y,z))"),
        ("loop acc = 1 for (a, b) in xs do a", "(loop acc = 1 for tuple(a,b) in xs do a)"),
        ("loop x = 1 while x < 9 do x * 2", "(loop x = 1 while (x < 9) do (x * 2))"),
        ("loop [k] (x: [k]i32) = a for i < 3 do x", "(loop [k] (x : [k]i32) = a for i < 3 do x)"),
        (
            "match x case #a y -> y case #b -> 1 case _ -> 2",
            "(match x case #a(y) -> y case #b() -> 1 case _ -> 2)",
        ),
        (
            "match x case -1 -> a case 'c' -> b case (1.5, true) -> match y case _ -> c case 3i8 -> d",
            "(match x case -1 -> a case '99' -> b case tuple(1.5=1.5,true) -> (match y case _ -> c case 3i8 -> d))",
        ),
        ("match x case -1.5f32 -> a", "(match x case -1.5f32 -> a)"),
        ("match x case (#a (#b _) {f} y: t) -> a", "(match x case (#a(#b(_),{f},y) : t) -> a)"),
    ]);
}

#[test]
fn types() {
    for (text, expected) in [
        ("i32", "i32"),
        ("M.N.t", "M.N.t"),
        ("[]i32", "[]i32"),
        ("[n][m+1]f32", "[n][(m + 1)]f32"),
        ("*[n]i32", "*[n]i32"),
        ("[n](*[]i32)", "[n]*[]i32"),
        ("()", "tuple()"),
        ("(a)", "a"),
        ("(a, b,)", "tuple(a,b)"),
        ("{}", "{}"),
        ("{x: a, 0: b}", "{x:a,0:b}"),
        ("a -> b -> c", "(a -> (b -> c))"),
        ("(a -> b) -> c", "((a -> b) -> c)"),
        ("(n: i64) -> [n]a", "((n : i64) -> [n]a)"),
        ("*[]a -> *b", "(*[]a -> *b)"),
        ("?[n][m].[n][m]a", "?[n][m].[n][m]a"),
        ("a -> ?[k].[k]a", "(a -> ?[k].[k]a)"),
        ("t [n] a", "((t [n]) a)"),
        ("t [n]a", "((t [n]) a)"),
        ("t ([n]a)", "(t [n]a)"),
        ("t[n] []", "((t [n]) [])"),
        ("[n]t a", "[n](t a)"),
        ("#a | #b i32 [2]t | #c", "#a()|#b(i32,[2]t)|#c()"),
    ] {
        let text = format!("x : {text}");
        check(&[(&text, &format!("(x : {expected})"))]);
    }
}
