import type { VisualDefinitions } from '@stoa/cms-model/visual.ts'
import { visualQuery } from '../visual/pages.ts'

/** The sections of the page of a type, by which its layout is told; none when the website declares none. */
export const sectionsQuery = (type: string) => ({
  ...visualQuery,
  select: ({ types }: { types: VisualDefinitions }) =>
    (Object.hasOwn(types, type) ? types[type]?.sections : undefined) ?? [],
})
