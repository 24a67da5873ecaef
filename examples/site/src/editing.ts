import type { Layout } from '@stoa/cms-client'
import type { CmsInstance, CmsOptions, VisualDefinition } from '@stoa/cms-host'
import { visual, website } from './definitions.ts'
import type { PageParts } from './layout.ts'

type WebsiteManifest = NonNullable<CmsOptions['website']>

/** What `@stoa/cms-host/visual` exports. */
export type RenderVisual = (
  html: string,
  definition: VisualDefinition,
  layout: Layout | null,
  editing?: boolean,
) => string
export type RenderParts = (html: string, website: WebsiteManifest) => string

/** What people changed of the looks: `css` holds the custom properties that differ from `design.ts`. */
export type DesignState = { css: string }

export type EditingTools = { renderVisual: RenderVisual; renderParts: RenderParts }

// Until @stoa/cms-host/visual is there, pages stay as they were rendered.
export const tools: EditingTools = { renderVisual: (html) => html, renderParts: (html) => html }

// Until instances have design(), the looks are those of the stylesheet.
export const designOf =
  (_cms: CmsInstance): (() => DesignState) =>
  () => ({ css: '' })

/** How a page is shown: as visitors see it, or with marks for the editor of the previewed entry. */
export type Mode = { editing: false } | { editing: true; entryId: string }

/** Puts the sections of a page in the order that its editors chose, and marks what can be edited while it is edited. */
export const arrange = (html: string, { entry }: PageParts, mode: Mode, tools: EditingTools): string => {
  const definitions: Readonly<Record<string, VisualDefinition>> = visual
  const definition = entry && Object.hasOwn(definitions, entry.type) ? definitions[entry.type] : undefined
  const isEdited = mode.editing && entry?.id === mode.entryId
  const arranged =
    entry && definition ? tools.renderVisual(html, definition, entry.data.__layout ?? null, isEdited) : html
  return mode.editing ? tools.renderParts(arranged, website) : arranged
}
