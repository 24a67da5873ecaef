import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ContentType } from '@stoa/cms-model/content-types.ts'
import { shareOf } from './share.ts'

const media = (key: string, accept: string[] = []) => ({ key, type: 'media', label: key, accept })
const typeOf = (...fields: object[]) => ({ fields }) as unknown as Pick<ContentType, 'fields'>
const settings = { url: 'https://www.example.com', socialImageId: 'site' }
const entry = { title: 'Harbour opens', url: '/news/harbour', data: { body: 'b', hero: 'h', ogImage: 'o', file: 'f' } }

describe('sharing an entry', () => {
  test('begins with its title, its address on the website and its picture', () => {
    const draft = shareOf(entry, typeOf(media('hero')), settings, 'https://cms.test')
    assert.deepEqual(
      [draft.caption, draft.link, draft.media],
      ['Harbour opens', 'https://www.example.com/news/harbour', [{ mediaId: 'h', alt: '', kind: 'image' }]],
    )
  })

  test('takes the picture that is meant for it, and no film; without one that of the site', () => {
    const pictureOf = (type: Pick<ContentType, 'fields'>, site: string | null = 'site') =>
      shareOf(entry, type, { ...settings, socialImageId: site }, 'https://cms.test').media[0]?.mediaId
    assert.equal(pictureOf(typeOf(media('file'), media('hero'), media('ogImage'))), 'o')
    assert.equal(pictureOf(typeOf(media('file', ['video/*']))), 'site')
    assert.equal(pictureOf(typeOf(), null), undefined)
  })

  test('has no link while the website has no page for it', () => {
    assert.equal(shareOf({ ...entry, url: null }, typeOf(), settings, 'https://cms.test').link, '')
  })
})
