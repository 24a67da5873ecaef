import { renderParts as markParts, renderVisual as render } from '@stoa/visual/render.ts'
import type { VisualDefinition, VisualLayout, WebsiteManifest } from './definitions.ts'

export type { VisualDefinition, VisualLayout, VisualSection, WebsiteManifest, WebsitePart } from './definitions.ts'

/**
 * The page with its sections in the order of the entry's `data.__layout`, without those that are hidden. With `editing`,
 * for a valid preview with `visual=1` only, hidden ones stay and sections and fields are marked for the editor. Every
 * other byte stays as it is; it never throws.
 */
export const renderVisual: (
  html: string,
  definition: VisualDefinition | null | undefined,
  layout: VisualLayout | null | undefined,
  editing?: boolean,
) => string = render

/** The page with every element of a part of the website marked for the editor. */
export const renderParts: (html: string, website: WebsiteManifest | null | undefined) => string = markParts
