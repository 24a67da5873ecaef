import { ALLOWED } from './policy.ts'

/** The class that every rule of a message is scoped to; its element stands for the message's `<body>`. */
export const SCOPE_CLASS = 'm_mail'
const CLASS_PREFIX = 'm_'

/** More steps cost the reader's browser, and no stylesheet has them. */
const MAX_STEPS = 8
const MAX_SELECTORS = 60
const MAX_LENGTH = 500

/** The selectors of a rule that may stay, inside the message; an empty text if there are none. */
export const cleanSelectors = (prelude: string): string =>
  prelude
    .split(',', MAX_SELECTORS)
    .map(cleanSelector)
    .filter((selector) => selector !== null)
    .join(', ')

/** Class names of a message are ones of their own: none of ours is among them. */
export const prefixedClass = (name: string): string | null =>
  CLASS_NAME.test(name) && name !== SCOPE_CLASS ? `${CLASS_PREFIX}${name}` : null

const CLASS_NAME = /^-?[A-Za-z_][A-Za-z0-9_-]{0,63}$/
const COMPOUND =
  /^([A-Za-z][A-Za-z0-9]*|\*)?((?:\.-?[A-Za-z_][A-Za-z0-9_-]{0,63})*)((?::[a-z-]+(?:\([a-z0-9+-]*\))?)*)$/
const PSEUDO =
  /^:(?:hover|active|focus|link|visited|first-child|last-child|only-child|first-of-type|last-of-type|nth-(?:last-)?(?:child|of-type)\((?:odd|even|[+-]?\d{0,4}n?(?:[+-]\d{1,4})?)\))$/
const COMBINATORS: ReadonlySet<string> = new Set(['>', '+', '~'])

const cleanSelector = (given: string): string | null => {
  if (given.length > MAX_LENGTH) return null
  const steps = given
    // How older mail asks for a class.
    .replace(/\[class\s*~?=\s*(["']?)(-?[A-Za-z_][\w-]{0,63})\1\s*\]/g, '.$2')
    .trim()
    // The `+` of `nth-child(2n+1)` is no combinator.
    .replace(/\s*([>+~])(?![^()]*\))\s*/g, ' $1 ')
    .split(/\s+/)
  if (steps.length > 2 * MAX_STEPS || steps[0] === '') return null
  const written: string[] = [`.${SCOPE_CLASS}`]
  let isRoot = true
  for (const [index, step] of steps.entries()) {
    if (COMBINATORS.has(step)) {
      // A combinator begins or follows another one; or it leads to what stands beside the message.
      if (index === 0 || COMBINATORS.has(steps[index - 1] ?? '')) return null
      if (isRoot && step !== '>') return null
      written.push(step)
      continue
    }
    const compound = cleanCompound(step)
    if (!compound) return null
    if (ROOTS.has(compound.type)) {
      if (!isRoot || COMBINATORS.has(written.at(-1) ?? '')) return null
      written[0] += compound.rest
      continue
    }
    isRoot = false
    written.push(compound.type + compound.rest)
  }
  return COMBINATORS.has(written.at(-1) ?? '') ? null : written.join(' ')
}

const ROOTS: ReadonlySet<string> = new Set(['html', 'body'])

const cleanCompound = (step: string): { type: string; rest: string } | null => {
  const [whole, type = '', classes = '', pseudos = ''] = COMPOUND.exec(step) ?? []
  if (!whole) return null
  const name = type.toLowerCase()
  if (name !== '' && name !== '*' && !ROOTS.has(name) && !ALLOWED.has(name)) return null
  const names = classes.split('.').slice(1).map(prefixedClass)
  const states = pseudos === '' ? [] : (pseudos.match(/:[a-z-]+(?:\([^()]*\))?/g) ?? [])
  if (names.includes(null) || !states.every((state) => PSEUDO.test(state))) return null
  return { type: name, rest: names.map((each) => `.${each}`).join('') + states.join('') }
}
