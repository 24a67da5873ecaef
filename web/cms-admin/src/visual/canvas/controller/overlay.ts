import { type Level, rectOf } from './marks.ts'

/** What is drawn over the page: outlines with labels, chips of hidden sections, and the bar of formatted text. */
export type Overlay = {
  hover(level: Level | null, label: string): void
  select(level: Level | null, label: string): void
  /** The bar beside formatted text while it is edited. */
  showBar(element: Element | null): void
  redraw(): void
  /** Whether an event was here and not on the page. */
  holds(target: EventTarget | null): boolean
}

type Actions = { italic(): void; lineBreak(): void }
type Outline = { box: HTMLElement; name: HTMLElement; level: Level | null }

const STYLE = `
  :host { all: initial }
  * { box-sizing: border-box; font: 500 12px/1.5 system-ui, sans-serif; letter-spacing: normal }
  .box { position: absolute; border: 2px solid #2563eb; border-radius: 3px; display: none }
  .box.hover { border-width: 1px; border-style: dashed }
  .box.part { border-color: #7c3aed }
  .name, .chip { position: absolute; left: -2px; bottom: 100%; padding: 0 6px; color: #fff; background: #1d4ed8;
    border-radius: 3px 3px 0 0; white-space: nowrap; max-width: 320px; overflow: hidden; text-overflow: ellipsis }
  .part .name { background: #6d28d9 }
  .inside .name { bottom: auto; top: 0; border-radius: 0 0 3px 0 }
  .lock { display: none; width: 10px; height: 10px; margin-right: 5px; fill: currentcolor }
  .locked .lock { display: inline-block }
  .chip { bottom: auto; border-radius: 3px; background: #404040; transform: translateX(-100%) }
  .bar { position: absolute; display: none; gap: 2px; padding: 3px; pointer-events: auto; background: #1f2937;
    border-radius: 6px; box-shadow: 0 2px 8px #0005 }
  .bar button { min-width: 28px; height: 26px; padding: 0 8px; border: 0; border-radius: 4px; color: #fff;
    background: none; cursor: pointer }
  .bar button:hover, .bar button:focus-visible { background: #4b5563; outline: none }
`

/** The overlay lives in a closed shadow tree with its own style sheet, where the page's rules do not apply. */
export const createOverlay = (actions: Actions): Overlay => {
  const host = document.createElement('div')
  const rules = { all: 'initial', position: 'fixed', inset: '0', 'z-index': '2147483647', 'pointer-events': 'none' }
  for (const [name, value] of Object.entries(rules)) host.style.setProperty(name, value, 'important')
  const root = host.attachShadow({ mode: 'closed' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [sheet]
  const chips = root.appendChild(document.createElement('div'))
  const hovered = outline(root, 'hover')
  const selected = outline(root, 'selected')
  const bar = root.appendChild(formatBar(actions))
  document.body.append(host)

  let formatted: Element | null = null
  const redraw = () => {
    draw(hovered)
    draw(selected)
    drawChips(chips)
    drawBar(bar, formatted)
  }
  const show = (one: Outline) => (level: Level | null, label: string) => {
    one.level = level
    one.name.textContent = label
    draw(one)
  }
  return {
    hover: show(hovered),
    select: show(selected),
    showBar: (element) => {
      formatted = element
      drawBar(bar, formatted)
    },
    redraw,
    holds: (target) => target === host,
  }
}

const outline = (root: ShadowRoot, kind: string): Outline => {
  const box = root.appendChild(document.createElement('div'))
  box.className = `box ${kind}`
  box.dataset.kind = kind
  const label = box.appendChild(document.createElement('span'))
  label.className = 'name'
  label.append(lockIcon())
  const name = label.appendChild(document.createElement('span'))
  return { box, name, level: null }
}

const SVG = 'http://www.w3.org/2000/svg'

const lockIcon = (): Element => {
  const icon = document.createElementNS(SVG, 'svg')
  icon.setAttribute('class', 'lock')
  icon.setAttribute('viewBox', '0 0 10 10')
  const path = icon.appendChild(document.createElementNS(SVG, 'path'))
  path.setAttribute('d', 'M2 4V3a3 3 0 0 1 6 0v1h1v6H1V4zM3.2 4h3.6V3a1.8 1.8 0 0 0-3.6 0z')
  return icon
}

const draw = ({ box, level }: Outline): void => {
  const element = level?.element
  if (!element?.isConnected) {
    box.style.display = 'none'
    return
  }
  const rect = rectOf(element)
  box.className = `box ${box.dataset.kind}`
  box.classList.toggle('part', level?.target.kind === 'part')
  box.classList.toggle('locked', level?.target.kind === 'section' && element.hasAttribute('data-cms-fixed'))
  box.classList.toggle('inside', rect.y < 22)
  // Within the window, so that a section from edge to edge has all its sides, and a long one its name
  const left = Math.max(0, rect.x - 2)
  const top = Math.max(Math.min(0, rect.y + rect.height - 24), rect.y - 2)
  place(box, left, top)
  box.style.width = `${Math.min(document.documentElement.clientWidth, rect.x + rect.width + 2) - left}px`
  box.style.height = `${rect.y + rect.height + 2 - top}px`
  box.style.display = 'block'
}

const drawChips = (chips: HTMLElement): void => {
  const hidden = [...document.querySelectorAll('[data-cms-hidden]')]
  while (chips.childElementCount > hidden.length) chips.lastElementChild?.remove()
  for (const [index, element] of hidden.entries()) {
    const known = chips.children[index]
    const chip = known instanceof HTMLElement ? known : chips.appendChild(document.createElement('span'))
    chip.className = 'chip'
    chip.textContent = 'Hidden'
    const rect = rectOf(element)
    place(chip, Math.min(document.documentElement.clientWidth, rect.x + rect.width) - 6, rect.y + 6)
  }
}

const place = (box: HTMLElement, x: number, y: number): void => {
  box.style.left = `${x}px`
  box.style.top = `${y}px`
}

const formatBar = ({ italic, lineBreak }: Actions): HTMLElement => {
  const bar = document.createElement('div')
  bar.className = 'bar'
  bar.setAttribute('role', 'toolbar')
  bar.setAttribute('aria-label', 'Text formatting')
  const button = (label: string, run: () => void) => {
    const made = bar.appendChild(document.createElement('button'))
    made.type = 'button'
    made.textContent = label
    // The text keeps the keyboard, and with it what is selected
    made.addEventListener('pointerdown', (event) => event.preventDefault())
    made.addEventListener('mousedown', (event) => event.preventDefault())
    made.addEventListener('click', run)
    return made
  }
  button('Italic', italic).style.fontStyle = 'italic'
  button('Line break', lineBreak)
  return bar
}

const drawBar = (bar: HTMLElement, element: Element | null): void => {
  bar.style.display = element?.isConnected ? 'flex' : 'none'
  if (!element?.isConnected) return
  const rect = rectOf(element)
  place(bar, Math.max(4, rect.x), rect.y < 64 ? rect.y + rect.height + 8 : rect.y - 64 + 26)
}
