type Child = Node | string | null | undefined | false

type Props<E> = Omit<Partial<E>, 'class'> & {
  class?: string
  for?: string
  data?: Record<string, string>
  aria?: Record<string, string>
  on?: { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void }
}

/** An element with properties, listeners and children. Text is never read as HTML. */
export const h = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props<HTMLElementTagNameMap[K]>,
  ...children: Child[]
): HTMLElementTagNameMap[K] => {
  const element = document.createElement(tag)
  const { class: className, for: htmlFor, data = {}, aria = {}, on = {}, ...rest } = props
  Object.assign(element, rest)
  if (className) element.className = className
  if (htmlFor) element.setAttribute('for', htmlFor)
  for (const [name, value] of Object.entries(data)) element.dataset[name] = value
  for (const [name, value] of Object.entries(aria)) element.setAttribute(name === 'role' ? name : `aria-${name}`, value)
  for (const [name, listener] of Object.entries(on)) element.addEventListener(name, listener as EventListener)
  element.append(...children.filter((child): child is Node | string => Boolean(child)))
  return element
}

/** Finds an element that the page has. */
export const find = <E extends HTMLElement = HTMLElement>(selector: string): E => {
  const found = document.querySelector<E>(selector)
  if (!found) throw new Error(`The page has no ${selector}`)
  return found
}

/** Announces to screen readers; a text that is set twice is announced twice. */
export const announce = (text: string): void => {
  const region = find('#announcements')
  region.textContent = ''
  requestAnimationFrame(() => {
    region.textContent = text
  })
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

let lastId = 0

/** A label with its control below it. */
export const field = (label: string, control: HTMLElement, help?: string): HTMLElement => {
  control.id ||= `field-${++lastId}`
  const hint = help ? h('small', { class: 'muted', id: `${control.id}-help` }, help) : null
  if (hint) control.setAttribute('aria-describedby', hint.id)
  return h('div', { class: 'field' }, h('label', { for: control.id }, label), control, hint)
}

export type Choice = { value: string; label: string }

export const select = (choices: readonly Choice[], value: string | null, none?: string): HTMLSelectElement => {
  const all = none === undefined ? choices : [{ value: '', label: none }, ...choices]
  const element = h('select', {}, ...all.map((one) => h('option', { value: one.value }, one.label)))
  element.value = value ?? ''
  return element
}

/** Boxes of which any number can be ticked. */
export const checkboxes = (legend: string, choices: readonly Choice[], ticked: readonly string[]) => {
  const boxes = choices.map(({ value }) => h('input', { type: 'checkbox', value, checked: ticked.includes(value) }))
  const element = h(
    'fieldset',
    {},
    h('legend', {}, legend),
    ...choices.map(({ label }, index) => h('label', { class: 'row' }, boxes[index], label)),
    choices.length === 0 && h('p', { class: 'muted' }, 'No accounts are connected yet'),
  )
  return { element, values: (): string[] => boxes.filter(({ checked }) => checked).map(({ value }) => value) }
}
