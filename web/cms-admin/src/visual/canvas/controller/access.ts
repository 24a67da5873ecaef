import type { Labels } from '../protocol.ts'
import { allMarked, type Level, levelsAt, MARKED } from './marks.ts'

export type Names = { sections: Labels; fields: Labels; parts: Labels }

/** The label of a target on screen. */
export const nameOf = ({ target }: Level, names: Names): string => {
  const labels = { field: names.fields, section: names.sections, part: names.parts }[target.kind]
  const words = (target.keys ?? [target.id]).map((id) => (Object.hasOwn(labels, id) ? labels[id] : id))
  return words.join(', ')
}

const FOCUSABLE = 'a[href],button,input,select,textarea,summary,[tabindex],audio[controls],video[controls]'

/** Everything that can be chosen with the pointer can be reached with Tab, and says what it is. */
export const makeReachable = (names: Names): void => {
  for (const element of allMarked()) {
    const [level] = levelsAt(element)
    if (!level) continue
    const holdsOthers = element.querySelector(MARKED) !== null
    if (!element.matches(FOCUSABLE)) {
      element.setAttribute('tabindex', '0')
      // The content of a button is only its name, so that whatever holds more to choose is a group
      element.setAttribute('role', holdsOthers ? 'group' : 'button')
    }
    element.setAttribute('aria-label', `${holdsOthers ? 'Select' : 'Edit'} ${nameOf(level, names)}`)
  }
}
