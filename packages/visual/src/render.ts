import { type Layout, readLayout } from '@stoa/cms-model/page-layout.ts'
import { arrange, type Page, readPage, slotsOf } from './arrange.ts'
import { type Definition, partsOf, type Targets, targetsOf, type Website } from './definition.ts'
import { findTargets } from './find.ts'
import { isObject } from './is-object.ts'
import { splice } from './splice.ts'
import { type Edit, readTag, setAttributes } from './tag.ts'

/**
 * A page as the layout of its entry wants it: sections stand in its order, and hidden ones are left out. With `editing`
 * they stay, and sections and fields get the attributes by which the editor finds them. Nothing else is changed.
 */
export const renderVisual = (
  html: string,
  definition: Definition | null | undefined,
  layout: Layout | null | undefined,
  editing = false,
): string => {
  if (typeof html !== 'string' || !isObject(definition)) return html
  return orUnchanged(html, () => {
    const targets = targetsOf(definition)
    const { order, hidden } = readLayout(layout, (id) => targets.ids.has(id))
    if (editing) return renderEditing(html, targets, order, new Set(hidden))
    if (order.length + hidden.length === 0) return html
    return renderPublic(html, { ...targets, fields: [] }, order, new Set(hidden))
  })
}

/** A page on which every element of a website part says so. */
export const renderParts = (html: string, website: Website | null | undefined): string => {
  if (typeof html !== 'string' || !isObject(website)) return html
  return orUnchanged(html, () => {
    const parts = partsOf(website)
    if (parts.length === 0) return html
    const edits = [...findTargets(html, { sections: [], fields: parts }).fields.values()].flatMap(
      ({ start, tagEnd, names }) =>
        setAttributes(html, readTag(html, start, tagEnd), [['data-cms-part', names.join(' ')]]),
    )
    return splice(html, edits, [])
  })
}

const renderEditing = (
  html: string,
  targets: Targets,
  order: readonly string[],
  hidden: ReadonlySet<string>,
): string => {
  const page = arrange(readPage(html, targets), targets, order)
  const slots = page.groups.flatMap((group) => slotsOf(group, page.order))
  return splice(page.html, marksOf(page, hidden), slots)
}

const renderPublic = (
  html: string,
  targets: Targets,
  order: readonly string[],
  hidden: ReadonlySet<string>,
): string => {
  const page = arrange(readPage(html, targets), targets, order)
  return splice(
    page.html,
    [],
    page.groups.flatMap((group) => slotsOf(group, page.order, hidden)),
  )
}

type Attribute = readonly [name: string, value: string]

const marksOf = ({ html, groups, fields }: Page, hidden: ReadonlySet<string>): Edit[] => {
  const sections = groups.flat()
  const sectionAt = new Map(sections.map((section) => [section.start, section]))
  const tags = new Map([...sections, ...fields.values()].map(({ start, tagEnd }) => [start, tagEnd]))
  return [...tags].flatMap(([start, tagEnd]) => {
    const section = sectionAt.get(start)
    const names = fields.get(start)?.names
    const attributes: Attribute[] = []
    if (section) attributes.push(['data-cms-section', section.id])
    if (names) attributes.push(['data-cms-field', names.join(' ')])
    if (section && hidden.has(section.id)) attributes.push(['data-cms-hidden', ''])
    if (section && !section.movable) attributes.push(['data-cms-fixed', ''])
    return setAttributes(html, readTag(html, start, tagEnd), attributes)
  })
}

let isReported = false

/** A page must not break because of us. */
const orUnchanged = (html: string, render: () => string): string => {
  try {
    return render()
  } catch (error) {
    if (!isReported) console.error('A page could not be rendered for visual editing and is shown as it is:', error)
    isReported = true
    return html
  }
}
