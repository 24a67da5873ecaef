import { parse } from 'parse5'
import type { SectionTarget, Targets } from './definition.ts'
import { type Element, walk } from './selectors.ts'
import { createTidiness } from './written.ts'

/** The start and end offset of an element in the source. */
export type Range = { readonly start: number; readonly end: number }

/** An element that is a declared section of this page. */
export type Found = Range & {
  readonly id: string
  readonly element: Element
  readonly tagEnd: number
  readonly isDeclaredMovable: boolean
}

/** An element that shows something which can be edited: the names of what it shows. */
export type Shown = { readonly start: number; readonly tagEnd: number; readonly names: string[] }

/**
 * Finds sections and fields in one walk. A section is the first element that matches and that no section declared before
 * it has taken; it makes no difference that here they take turns at each element.
 */
export const findTargets = (
  html: string,
  { sections, fields }: Pick<Targets, 'sections' | 'fields'>,
): { sections: Found[]; fields: Map<number, Shown>; isTidy: boolean } => {
  const missing: SectionTarget[] = [...sections]
  const found: Found[] = []
  const taken = new Set<number>()
  const shown = new Map<number, Shown>()
  const tidiness = createTidiness(html)
  walk(parse(html, { sourceCodeLocationInfo: true }), (element) => {
    tidiness.read(element)
    const location = element.sourceCodeLocation
    // Elements that nobody wrote are not there for us.
    if (!location?.startTag) return
    const { startOffset: start, endOffset: end } = location
    const tagEnd = location.startTag.endOffset
    // Formatting that was left open comes again in later elements, with the place of the first.
    const index = taken.has(start) ? -1 : missing.findIndex(({ matches }) => matches(element))
    const [section] = index < 0 ? [] : missing.splice(index, 1)
    if (section) {
      taken.add(start)
      found.push({ id: section.name, element, start, end, tagEnd, isDeclaredMovable: section.isDeclaredMovable })
    }
    for (const { name, matches } of fields) {
      if (!matches(element)) continue
      const names = shown.get(start)?.names
      if (!names) shown.set(start, { start, tagEnd, names: [name] })
      else if (!names.includes(name)) names.push(name)
    }
  })
  return { sections: found, fields: shown, isTidy: tidiness.isTidy() }
}
