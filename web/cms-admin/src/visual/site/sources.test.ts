import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PartState, WebsiteState } from '@stoa/cms-model/website.ts'
import { entryChanges, keyOfPart, sourcesOf } from './sources.ts'

const base = (id: string) => ({ id, label: id, description: '', selector: `#${id}` })
const ENTRY = 'a1b2c3d4-0000-4000-8000-000000000001'

const footer = (fields: string[], entryId: string | null = ENTRY): PartState => ({
  ...base(fields.join('-')),
  source: { kind: 'entry', type: 'footer', fields },
  state: {
    type: 'footer',
    entryId,
    version: entryId === null ? null : 5,
    status: entryId === null ? null : 'published',
    pending: false,
    values: entryId === null ? {} : Object.fromEntries(fields.map((key) => [key, `${key}!`])),
    missing: entryId === null ? 'entry' : null,
    canEdit: true,
  },
})

const menu: PartState = {
  ...base('nav'),
  source: { kind: 'menu', name: 'main', label: 'Main', defaults: [] },
  state: { name: 'main', label: 'Main', exists: false, version: null, items: [], flat: true, canEdit: true },
}

const settings = (values: Record<string, unknown>): PartState => ({
  ...base(Object.keys(values).join('-')),
  source: { kind: 'settings', fields: ['title'] },
  state: { values, version: 7, canEdit: true },
})

const website = (...parts: PartState[]): WebsiteState => ({ previewUrl: '/', parts })

test('parts of the same entry or of the settings are one source with the members of all', () => {
  const sources = sourcesOf(
    website(footer(['$title']), footer(['text']), settings({ title: 'Stoa' }), settings({ tagline: 'T' })),
    { surfaces: [] },
  )
  assert.deepEqual(Object.keys(sources), [`entry:${ENTRY}`, 'settings'])
  assert.deepEqual(sources[`entry:${ENTRY}`]?.stored, { version: 5, values: { $title: '$title!', text: 'text!' } })
  assert.deepEqual(sources.settings?.stored, { version: 7, values: { title: 'Stoa', tagline: 'T' } })
})

test('a part without an entry has no source, and a menu that nobody made has one without a version', () => {
  assert.equal(keyOfPart(footer(['text'], null)), null)
  const sources = sourcesOf(website(menu, footer(['text'], null)), { surfaces: [] })
  assert.deepEqual(Object.keys(sources), ['menu:main'])
  assert.deepEqual(sources['menu:main']?.stored, { version: null, values: { items: [] } })
})

test('a surface of the design is a source of its own', () => {
  const surface = { id: 'page', label: 'Page', selector: ':root', version: 1, properties: [] }
  assert.deepEqual(Object.keys(sourcesOf(website(), { surfaces: [surface] })), ['design:page'])
})

test('an entry gets its title and its fields where it keeps them, and only those that changed', () => {
  assert.deepEqual(entryChanges({ $title: 'New' }), { title: 'New' })
  assert.deepEqual(entryChanges({ text: 'New', note: undefined }), { data: { text: 'New', note: null } })
  assert.deepEqual(entryChanges({}), {})
})
