import type { Found, Range } from './find.ts'
import { type Element, isElement } from './selectors.ts'
import { isClosed } from './written.ts'

/** A section of the page that may move among those of its group, or has to stay where it is. */
export type Placed = Found & { readonly movable: boolean }

/** The sections of each parent as they are written, with what keeps some of them in their places. */
export const groupSections = (html: string, sections: readonly Found[]): Placed[][] => {
  const written = [...sections].sort((a, b) => a.start - b.start)
  const overlapping = findOverlapping(written)
  return [...Map.groupBy(written, ({ element }) => element.parentNode).values()].map((group) => {
    // A sibling that moved behind an unclosed element would become its content.
    const firstOpen = group.findIndex(({ element }) => !isClosed(html, element))
    return group.map((section, index) => ({
      ...section,
      movable:
        section.isDeclaredMovable &&
        (firstOpen < 0 || index < firstOpen) &&
        !overlapping.has(section) &&
        isInsideParent(section) &&
        !isFostered(section),
    }))
  })
}

const findOverlapping = (written: readonly Found[]): Set<Found> => {
  const overlapping = new Set<Found>()
  for (const [index, section] of written.entries())
    for (let other = index + 1; other < written.length; other += 1) {
      const next = written[other]
      if (!next || next.start >= section.end) break
      if (next.end > section.end) overlapping.add(section).add(next)
    }
  return overlapping
}

/** Not so after `</body>`, and for what the parser has put elsewhere because tags were nested wrongly. */
const isInsideParent = ({ element, start, end }: Found): boolean => {
  const parent = writtenParent(element)
  return !parent || (parent.start <= start && end <= parent.end)
}

/** Body, tbody and others may be there without being written. */
const writtenParent = (element: Element): Range | null => {
  for (let parent = element.parentNode; parent && isElement(parent); parent = parent.parentNode)
    if (parent.sourceCodeLocation)
      return { start: parent.sourceCodeLocation.startOffset, end: parent.sourceCodeLocation.endOffset }
  return null
}

/** Whether it is written inside of a table that may not hold it, and was put before that table (HTML §13.2.6.1). */
const isFostered = ({ element, start }: Found): boolean => {
  const siblings = element.parentNode?.childNodes ?? []
  for (let index = siblings.indexOf(element) + 1; index < siblings.length; index += 1) {
    const sibling = siblings[index]
    if (!sibling || !isElement(sibling) || sibling.tagName !== 'table') continue
    // Only the next table can be the one.
    return (sibling.sourceCodeLocation?.startOffset ?? start) < start
  }
  return false
}
