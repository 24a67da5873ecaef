import type { Entry } from '@stoa/cms-model/entries.ts'
import { LAYOUT_KEY } from '@stoa/cms-model/fields/layout.ts'
import { type Layout, pageLayout } from '@stoa/cms-model/page-layout.ts'
import { type VisualDefinitions, visualOf } from '@stoa/cms-model/visual.ts'
import { z } from 'zod'
import { fail } from '../../errors.ts'
import { counted, read, result } from './reading.ts'
import { tool } from './tool.ts'

export const getPageLayout = tool({
  name: 'get_page_layout',
  kind: 'read',
  permission: 'content.read',
  description: 'Declared sections of a visual page, which can move, order and hidden.',
  input: z.strictObject({ entryId: z.string() }),
  isAvailable: ({ ctx }) => Object.keys(ctx.host.visual).length > 0,
  label: () => 'Reading the layout of a page',
  async run(reach, { entryId }) {
    const [entry, visual] = await Promise.all([
      read<Entry>(reach, '/api/entries/:id', { params: { id: entryId } }),
      read<{ types: VisualDefinitions }>(reach, '/api/visual'),
    ])
    const definition =
      visualOf(visual.types, entry.type) ??
      fail('INVALID_STATE', { message: `Pages of the type ${entry.type} have no sections` })
    const stored = (entry.data[LAYOUT_KEY] ?? null) as Layout | null
    const { sections, order, hidden, version } = pageLayout(definition, stored, entry.version)
    // A model that has read all of the entry keeps that version.
    if (reach.versionRead('entry', entry.id) === null) reach.wasRead('entry', entry.id, version)
    const shown = sections.map(({ hidden: _, ...section }) => section)
    return result({ sections: shown, order, hidden, version }, counted(shown.length, 'section'))
  },
})
