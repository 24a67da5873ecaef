const DARK = (root: string): string =>
  `${root}{--surface:#1b1d22;--sunken:#292c33;--ink:#f0f1f4;--muted:#a8aebb;--line:#3a3e48;--danger:#ff9b8f;color-scheme:dark}
${root} .bubble{box-shadow:0 0 0 1px rgb(255 255 255/.25),0 8px 24px rgb(0 0 0/.5)}`

/**
 * Important where the page could reach: on the host alone, where an important rule of the shadow tree wins over every
 * rule of the page (CSS Cascade 5 §6.1). Percentages are of the window, or of the box that a preview puts around it.
 */
export const widgetCss = `
:host{all:initial!important;display:block!important;position:fixed!important;inset:auto 0 0 auto!important;z-index:2147483647!important;direction:ltr!important}
*,*::before,*::after{box-sizing:border-box}
[hidden]{display:none!important}
.root{--surface:#fff;--sunken:#f2f3f5;--ink:#16181d;--muted:#5b616e;--line:#d9dce2;--danger:#b42318;
font:400 15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;color:var(--ink);color-scheme:light;-webkit-text-size-adjust:100%;text-size-adjust:100%}
button,textarea{font:inherit;color:inherit;margin:0}
button{cursor:pointer;-webkit-tap-highlight-color:transparent}
:focus-visible{outline:2px solid var(--ink);outline-offset:2px}
.bubble{position:fixed;bottom:max(16px,env(safe-area-inset-bottom));height:48px;min-width:48px;max-width:calc(100% - 32px);padding:0 20px 0 14px;display:flex;align-items:center;justify-content:center;gap:8px;border:1px solid transparent;border-radius:24px;background:var(--accent);color:var(--on-accent);font-weight:600;box-shadow:0 0 0 1px rgb(255 255 255/.35),0 2px 6px rgb(0 0 0/.18),0 8px 24px rgb(0 0 0/.18)}
.bubble:hover{filter:brightness(1.06)}
.bubble:focus-visible{outline:3px solid var(--ink);box-shadow:0 0 0 3px var(--surface),0 8px 24px rgb(0 0 0/.2)}
.bubble span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.bubble[aria-expanded=true]{width:48px;padding:0}
.bubble[aria-expanded=true] span{position:absolute;clip-path:inset(50%);width:1px}
.right .bubble,.right .panel{right:max(16px,env(safe-area-inset-right))}
.left .bubble,.left .panel{left:max(16px,env(safe-area-inset-left))}
svg{width:22px;height:22px;flex:none;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.bubble .shut,.bubble[aria-expanded=true] .talk{display:none}
.bubble[aria-expanded=true] .shut{display:block}
.panel{position:fixed;bottom:calc(max(16px,env(safe-area-inset-bottom)) + 60px);width:384px;max-width:calc(100% - 32px);height:560px;max-height:calc(100% - 92px);display:flex;flex-direction:column;overflow:hidden;background:var(--surface);border:1px solid var(--line);border-radius:16px;box-shadow:0 4px 12px rgb(0 0 0/.1),0 16px 48px rgb(0 0 0/.2);animation:rise .14s ease-out}
header{display:flex;align-items:center;gap:8px;padding:10px 8px 10px 16px;border-bottom:1px solid var(--line)}
h2{flex:1;min-width:0;margin:0;font-size:15px;font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.plain{width:40px;height:40px;flex:none;display:grid;place-items:center;padding:0;border:1px solid transparent;border-radius:10px;background:none;color:var(--muted)}
.plain:hover{background:var(--sunken);color:var(--ink)}
.log{flex:1;min-height:0;overflow-y:auto;overscroll-behavior:contain;display:flex;flex-direction:column;gap:12px;padding:16px}
.log:focus-visible{outline-offset:-3px}
.message{max-width:88%;padding:9px 13px;border:1px solid transparent;border-radius:14px;overflow-wrap:anywhere;white-space:pre-line}
.site{align-self:flex-start;background:var(--sunken);border-bottom-left-radius:4px}
.visitor{align-self:flex-end;background:var(--accent);color:var(--on-accent);border-bottom-right-radius:4px}
.answer{align-self:stretch;display:flex;flex-direction:column;gap:8px;min-width:0}
a{color:inherit;text-decoration:underline;text-underline-offset:2px;text-decoration-thickness:1px;border-radius:3px}
a:hover{text-decoration-thickness:2px}
sup{font-size:.72em;line-height:0;padding-inline:1px}
h3{margin:2px 0 0;font-size:13px;font-weight:600;color:var(--muted)}
ul{margin:0;padding:0;list-style:none;display:flex;flex-direction:column;gap:6px}
li{min-width:0;padding:8px 12px;border:1px solid var(--line);border-radius:10px;font-size:14px;overflow-wrap:anywhere}
li p{margin:2px 0 0;color:var(--muted);font-size:13px;overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2}
.note{margin:0;color:var(--muted);font-size:12px}
.thinking{display:flex;align-items:center;gap:10px;color:var(--muted)}
.dots{display:inline-flex;gap:4px}
.dots i{width:6px;height:6px;border-radius:50%;background:currentColor;animation:breathe 1.6s ease-in-out infinite}
.dots i:nth-child(2){animation-delay:.2s}
.dots i:nth-child(3){animation-delay:.4s}
.error{display:flex;flex-wrap:wrap;align-items:center;gap:4px 12px;color:var(--danger);font-size:14px}
.retry{min-height:36px;padding:0 14px;border:1px solid var(--line);border-radius:10px;background:var(--surface);color:var(--ink);font-weight:600}
.retry:hover{background:var(--sunken)}
form{display:flex;align-items:flex-end;gap:8px;padding:12px;border-top:1px solid var(--line)}
textarea{flex:1;min-width:0;min-height:44px;max-height:132px;resize:none;padding:9px 12px;border:1px solid #868d9b;border-radius:12px;background:var(--surface);font-size:16px;line-height:1.5;field-sizing:content}
textarea::placeholder{color:var(--muted);opacity:1}
textarea:focus-visible{outline-offset:0}
.send{width:44px;height:44px;flex:none;display:grid;place-items:center;padding:0;border:1px solid transparent;border-radius:12px;background:var(--accent);color:var(--on-accent)}
.send[aria-disabled=true]{opacity:.55;cursor:default}
.spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@keyframes rise{from{opacity:0;transform:translateY(6px)}}
@keyframes breathe{0%,60%,100%{opacity:.3}30%{opacity:1}}
@media (max-width:479.98px){
.bubble{width:48px;padding:0}
.bubble span{position:absolute;clip-path:inset(50%);width:1px}
.open .bubble{visibility:hidden}
.panel,.right .panel,.left .panel{inset:0 0 var(--keyboard,0px) 0;width:auto;max-width:none;height:auto;max-height:none;border:0;border-radius:0;padding:env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left)}
}
${DARK('.root.dark:not(.light)')}
@media (prefers-color-scheme:dark){
${DARK('.root:not(.light:not(.dark))')}
}
@media (prefers-reduced-motion:reduce){.panel,.dots i{animation:none}.dots i{opacity:.6}}
@media (forced-colors:active){.bubble,.send,.message,.plain{border-color:ButtonText}.visitor{border-width:2px}}
@media print{:host{display:none!important}}
`.replaceAll('\n', '')
