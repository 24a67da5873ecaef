import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WebsiteState } from '@stoa/cms-model/website.ts'
import { textsOfParts } from './part-texts.ts'

const link = (id: string, label: string) => ({ id, label, url: '/', children: [] })
const part = (id: string, source: object, state: object) => ({
  id,
  label: id,
  description: '',
  selector: 'a',
  source,
  state,
})
const website = {
  previewUrl: '/',
  parts: [
    part('brand', { kind: 'settings', fields: ['title', 'logoId'] }, {}),
    part('navigation', { kind: 'menu', name: 'main' }, { name: 'main' }),
    part('text', { kind: 'entry', type: 'footer', fields: ['note'] }, { entryId: 'e1' }),
  ],
} as unknown as WebsiteState

const rendered = {
  settings: { title: 'Stoa', tagline: 'Old', logoId: null },
  'menu:main': { items: [link('a', 'Home'), link('b', 'News')] },
  'entry:e1': { note: 'Old' },
}

test('a page that shows what is there needs no words', () => {
  assert.deepEqual(textsOfParts(website, rendered, rendered), [])
  const other = { ...rendered, settings: { ...rendered.settings, tagline: 'New' }, 'entry:e1': { note: 'New' } }
  assert.deepEqual(textsOfParts(website, rendered, other), [])
})

test('a setting is named with what the page shows of it', () => {
  const now = { ...rendered, settings: { ...rendered.settings, title: 'Tide', logoId: 'x' } }
  assert.deepEqual(textsOfParts(website, rendered, now), [{ id: 'brand', texts: [{ was: 'Stoa', is: 'Tide' }] }])
})

test('links are known by their ids, wherever they stand; those that came or went wait for the website', () => {
  const now = { ...rendered, 'menu:main': { items: [link('b', 'Articles'), link('c', 'New')] } }
  const texts = [
    { was: 'Home', is: 'Home' },
    { was: 'News', is: 'Articles' },
  ]
  assert.deepEqual(textsOfParts(website, rendered, now), [{ id: 'navigation', texts }])
})
