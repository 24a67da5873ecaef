import { readFileSync } from 'node:fs'

/** In the page itself, which loads nothing: Latin letters in all weights, 48 KB. */
const readInter = (): string =>
  readFileSync(new URL(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')), 'base64')

/** The style of the API page; the page's policy allows exactly these bytes. */
export const makeStyle =
  (): string => `@font-face{font-family:"Inter Variable";font-weight:100 900;src:url(data:font/woff2;base64,${readInter()}) format("woff2")}
:root{color-scheme:light dark;--canvas:light-dark(oklch(.974 .0035 262),oklch(.168 .006 262));--surface:light-dark(#fff,oklch(.195 .007 262));--sunken:light-dark(oklch(.968 .0045 262),oklch(.172 .007 262));--hover:light-dark(oklch(.35 .04 262/.055),oklch(.9 .02 262/.06));--line:light-dark(oklch(.922 .0045 262),oklch(.272 .008 262));--control:light-dark(oklch(.648 .016 262),oklch(.515 .015 262));--ink:light-dark(oklch(.226 .014 262),oklch(.945 .004 262));--muted:light-dark(oklch(.446 .016 262),oklch(.745 .011 262));--accent:light-dark(oklch(.475 .175 262),oklch(.766 .112 262));--soft:light-dark(oklch(.957 .02 262),oklch(.265 .042 262));--ring:light-dark(oklch(.565 .19 262),oklch(.68 .15 262));--green:light-dark(oklch(.45 .11 152),oklch(.8 .12 152));--amber:light-dark(oklch(.47 .1 64),oklch(.83 .1 82));--red:light-dark(oklch(.5 .18 22),oklch(.76 .13 22))}
*{box-sizing:border-box}
html{scroll-padding-top:1.5rem;scrollbar-gutter:stable}
body{margin:0;background:var(--surface);color:var(--ink);font:.875rem/1.5 "Inter Variable",Inter,system-ui,"Noto Sans",sans-serif;display:grid;grid-template-columns:17rem minmax(0,1fr)}
a{color:var(--accent);text-underline-offset:2px}
h1{font-size:1.875rem;line-height:1.25;letter-spacing:-.022em;margin:0 0 .75rem}
h2{font-size:1.25rem;letter-spacing:-.017em;margin:0 0 .5rem}
h3{font-size:1rem;letter-spacing:-.011em;margin:0}
h4{font-size:.8125rem;margin:1.5rem 0 .25rem}
p{margin:.5rem 0;max-width:42rem}
small{color:var(--muted);font-size:.75rem;font-weight:400}
code,pre{font-family:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"Liberation Mono",monospace;font-size:.8125rem}
code{overflow-wrap:anywhere}
:focus-visible{outline:2px solid var(--ring);outline-offset:2px;border-radius:.25rem}
nav{position:sticky;top:0;height:100vh;overflow-y:auto;scrollbar-width:thin;background:var(--canvas);border-right:1px solid var(--line);padding:1.25rem .75rem 2rem}
nav>strong{display:block;padding:0 .5rem .75rem;font-size:1rem}
nav ul{list-style:none;margin:0;padding:0}
nav a{display:flex;gap:.5rem;align-items:baseline;min-height:1.75rem;padding:.25rem .5rem;border-radius:.375rem;color:inherit;text-decoration:none;overflow-wrap:anywhere}
nav a:hover{background:var(--hover)}
nav li ul a{color:var(--muted);font-size:.8125rem}
nav .list>summary{display:none}
nav summary{cursor:pointer;min-height:1.75rem;padding:.25rem .5rem;border-radius:.375rem;font-weight:500}
nav summary:hover{background:var(--hover)}
nav a[aria-current]{background:var(--soft);color:var(--ink)}
.find{width:100%;height:2rem;margin:0 0 .75rem;padding:0 .5rem;border:1px solid var(--control);border-radius:.375rem;background:var(--surface);color:inherit;font:inherit}
.none{padding:.25rem .5rem;color:var(--muted)}
main{padding:2.5rem clamp(1rem,3vw,3rem) 6rem;min-width:0}
main>header,main>section{max-width:84rem;margin:0 auto 3.5rem}
article{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,28rem);gap:0 2.5rem;border-top:1px solid var(--line);padding:2rem 0;content-visibility:auto;contain-intrinsic-size:auto 40rem}
article>h3,article>.path{grid-column:1/-1}
.path{margin:.35rem 0 .75rem;max-width:none}
.side{position:sticky;top:1.5rem;align-self:start;min-width:0}
.sample{border:1px solid var(--line);border-radius:.5rem;background:var(--sunken);overflow:hidden;margin:.5rem 0 0}
.bar{display:flex;align-items:center;gap:.25rem;padding:.25rem .375rem;border-bottom:1px solid var(--line)}
.bar>span{flex:1;padding:0 .375rem;color:var(--muted);font-size:.75rem}
.bar button{min-height:1.75rem;padding:0 .5rem;border:0;border-radius:.375rem;background:none;color:var(--muted);font:inherit;font-size:.75rem;cursor:pointer}
.bar button:hover{background:var(--hover);color:var(--ink)}
.bar button[aria-pressed=true]{background:var(--soft);color:var(--accent)}
pre{margin:0;padding:.75rem;overflow:auto;scrollbar-width:thin;max-height:28rem;line-height:1.55}
.m{display:inline-block;font-size:.6875rem;font-weight:600;letter-spacing:.03em}
nav .m{min-width:2.6rem}
.get{color:var(--accent)}.post{color:var(--green)}.put,.patch{color:var(--amber)}.delete{color:var(--red)}
.scroll{overflow-x:auto;scrollbar-width:thin}
table{border-collapse:collapse;width:100%;font-size:.8125rem}
th,td{text-align:left;vertical-align:top;padding:.375rem .75rem .375rem 0;border-bottom:1px solid var(--line)}
th{color:var(--muted);font-weight:500}
td:first-child{min-width:11rem}
dt{font-weight:600}dd{margin:0 0 .75rem;max-width:42rem}
.codes{columns:16rem;padding-left:1.2rem;margin:.25rem 0}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--surface);padding:.5rem;z-index:1}
[hidden]{display:none!important}
@media (max-width:70rem){article{grid-template-columns:minmax(0,1fr)}.side{position:static;margin-top:1rem}}
@media (max-width:48rem){body{display:block}nav{position:static;height:auto;max-height:70vh;padding-bottom:1rem;border-right:0;border-bottom:1px solid var(--line)}nav .list>summary{display:list-item}}
@media print{nav,.bar button{display:none}body{display:block}pre{max-height:none}}
`
