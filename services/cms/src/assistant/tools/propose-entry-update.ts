import type { Entry } from '@stoa/cms-model/entries.ts'
import { z } from 'zod'
import { contentAt, readEntry, readType } from './proposed-records.ts'
import {
  asJson,
  baseVersion,
  entryChanges,
  entryLabel,
  given,
  openObject,
  proposed,
  realChanges,
  reason,
  rehearse,
} from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/entries/:id'

export const proposeEntryUpdate = tool({
  name: 'propose_entry_update',
  kind: 'propose',
  permission: 'content.write',
  description:
    'Change title, slug, fields, or layout through data.__layout {order,hidden}. Only the keys given change.',
  input: z.strictObject({
    entryId: z.string(),
    title: z.string().optional(),
    slug: z.string().optional(),
    data: openObject('Only changed keys').optional(),
    reason,
  }),
  label: () => 'Preparing changes to an entry',
  run: async (reach, { entryId: id, title, slug, data, reason: why }) => {
    const before = await readEntry(reach, id)
    // The live version stays unchanged until a person publishes the draft.
    const mode = before.status === 'published' ? { mode: 'draft' } : {}
    const sent = given({ title, slug, data })
    const after = await rehearse<Entry>(reach, {
      method: 'PUT',
      path: ROUTE,
      params: { id },
      body: { ...sent, ...mode },
    })
    const paths = [...Object.keys(sent), ...Object.keys(data ?? {}).map((key) => `data.${key}`)]
    const type = await readType(reach, before.type)
    const version = baseVersion(reach, 'entry', id, before.version)
    // A change made since the model read the entry must show up as a conflict.
    const seen = await contentAt(reach, before, version)
    const changes = realChanges(entryChanges(reach, type, seen, after).filter(({ path }) => paths.includes(path)))
    const keys = changes.flatMap(({ path }) => (path.startsWith('data.') ? [path.slice('data.'.length)] : []))
    const changed = (path: string) => changes.some((change) => change.path === path)
    const body = given({
      title: changed('title') ? after.title : undefined,
      slug: changed('slug') ? after.slug : undefined,
      data: keys.length > 0 ? Object.fromEntries(keys.map((key) => [key, asJson(after.data[key] ?? null)])) : undefined,
      ...mode,
    })
    return proposed({
      title: `Update “${entryLabel(before)}”`,
      reason: why,
      risk: 'edit',
      verb: 'Apply',
      permission: 'content.write',
      target: { kind: 'entry', id, label: entryLabel(before), screen: 'entry' },
      changes,
      requests: [{ method: 'PUT', route: ROUTE, params: { id }, body, version, record: { kind: 'entry', id } }],
      base: { kind: 'entry', id, version },
      anchors: null,
    })
  },
})
