import type { VisualDefinition } from '@stoa/cms-host'
import { renderParts, renderVisual } from '@stoa/cms-host/visual'
import { visual, website } from './definitions.ts'
import type { PageParts } from './layout.ts'

/** How a page is shown: as visitors see it, or with marks for the editor of the previewed entry. */
export type Mode = { editing: false } | { editing: true; entryId: string }

/** Puts the sections of a page in the order that its editors chose, and marks what can be edited while it is edited. */
export const arrange = (html: string, { entry }: PageParts, mode: Mode): string => {
  const definitions: Readonly<Record<string, VisualDefinition>> = visual
  const definition = entry && Object.hasOwn(definitions, entry.type) ? definitions[entry.type] : undefined
  const isEdited = mode.editing && entry?.id === mode.entryId
  const arranged = entry && definition ? renderVisual(html, definition, entry.data.__layout ?? null, isEdited) : html
  return mode.editing ? renderParts(arranged, website) : arranged
}
