/** The style of the API page; the page's policy allows exactly these bytes. */
export const css = `:root{color-scheme:light dark;--b:#fff;--f:#1b1f24;--q:#59636e;--l:#d8dee4;--s:#f4f6f8;--a:#0a58ca;--g:#116329;--o:#7a4a00;--r:#a40e26}
@media (prefers-color-scheme:dark){:root{--b:#0f1318;--f:#e6eaee;--q:#9aa5b1;--l:#2d343c;--s:#171c22;--a:#7ab0ff;--g:#6fd089;--o:#f0b35c;--r:#ff8b94}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0 auto;max-width:68rem;padding:1.5rem 1rem 4rem;background:var(--b);color:var(--f);font:1rem/1.55 system-ui,sans-serif}
a{color:var(--a)}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:1.3rem;margin:2.5rem 0 .75rem;padding-top:1rem;border-top:1px solid var(--l)}
h3{font-size:1rem;margin:1.25rem 0 .4rem}
h4{font-size:.9rem;margin:1rem 0 .3rem;color:var(--q)}
small{color:var(--q);font-weight:400}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em;overflow-wrap:anywhere}
pre{background:var(--s);border:1px solid var(--l);border-radius:6px;padding:.75rem;overflow:auto;overflow-wrap:normal}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;padding:0}
details{border:1px solid var(--l);border-radius:6px;margin:.5rem 0}
details>div{padding:0 1rem 1rem}
summary{cursor:pointer;padding:.6rem 1rem}
summary:hover{background:var(--s)}
summary span{color:var(--q)}
:focus-visible{outline:2px solid var(--a);outline-offset:2px}
.m{display:inline-block;min-width:4.2rem;font-size:.8rem;letter-spacing:.03em}
.get{color:var(--a)}.post{color:var(--g)}.put,.patch{color:var(--o)}.delete{color:var(--r)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--l)}
dt{font-weight:600}dd{margin:0 0 .5rem}
.codes{columns:18rem;padding-left:1.2rem}
.skip{position:absolute;left:-99rem}.skip:focus{position:static}
@media print{details>div{display:block}}
`
