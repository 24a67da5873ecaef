import type { Entry } from '@stoa/cms-model/entries.ts'
import { z } from 'zod'
import { readType } from './proposed-records.ts'
import {
  asJson,
  baseVersion,
  changeOf,
  entryChanges,
  given,
  openObject,
  proposed,
  reason,
  rehearse,
} from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/entries'

export const proposeEntryCreate = tool({
  name: 'propose_entry_create',
  kind: 'propose',
  permission: 'content.write',
  description: 'Draft a new entry. Never published by this tool.',
  input: z.strictObject({
    type: z.string(),
    title: z.string(),
    slug: z.string().optional(),
    locale: z.string().optional(),
    data: openObject('Keyed by field key'),
    terms: z.array(z.strictObject({ taxonomy: z.string(), slug: z.string() })).optional(),
    reason,
  }),
  label: () => 'Drafting a new entry',
  run: async (reach, { type: name, title, slug, locale, data, terms, reason: why }) => {
    const after = await rehearse<Entry>(reach, {
      method: 'POST',
      path: ROUTE,
      body: given({ type: name, title, slug, locale, data, terms }),
    })
    const type = await readType(reach, name)
    const saved = Object.fromEntries(Object.keys(data).map((key) => [key, asJson(after.data[key] ?? null)]))
    const nothing = { title: '', slug: '', data: {} }
    const paths = ['title', ...(slug === undefined ? [] : ['slug']), ...Object.keys(data).map((key) => `data.${key}`)]
    const changes = [
      ...entryChanges(reach, type, nothing, after).filter(({ path }) => paths.includes(path)),
      ...(locale === undefined ? [] : [changeOf({ path: 'locale', label: 'Language', after: after.locale })]),
      ...(terms === undefined || terms.length === 0
        ? []
        : [changeOf({ path: 'terms', label: 'Terms', after: after.terms.map((term) => term.name), view: 'list' })]),
    ]
    const body = given({ type: name, title: after.title, slug, locale, data: saved, terms })
    return proposed({
      title: `Create “${after.title}”`,
      reason: why,
      risk: 'edit',
      verb: 'Create draft',
      permission: 'content.write',
      target: { kind: 'entry', id: null, label: after.title || type.label, screen: 'entries' },
      changes,
      requests: [{ method: 'POST', route: ROUTE, params: {}, body, version: null, record: null }],
      base: { kind: 'type', id: name, version: baseVersion(reach, 'type', name, type.version) },
      anchors: null,
    })
  },
})
