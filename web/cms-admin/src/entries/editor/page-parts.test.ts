import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { contentFields, type FieldInput } from '@stoa/cms-model/fields/field.ts'
import { loadScreens } from '../../fields/testing/load-screens.ts'

type Screens = Awaited<ReturnType<typeof loadScreens>>
let pagePartsOf: Screens['pagePartsOf']
// Not while the file is loaded: the runner would no longer know which file its tests belong to.
before(async () => {
  ;({ pagePartsOf } = await loadScreens())
})

const partsOf = (...fields: FieldInput[]) => {
  const { cover, text, rest } = pagePartsOf({ fields: contentFields.parse(fields) })
  return [cover?.key, text?.key, rest.map(({ key }) => key)]
}

describe('an entry as a page', () => {
  test('has the first rich or Markdown text as its text, and the other fields in their order', () => {
    assert.deepEqual(
      partsOf(
        { key: 'excerpt', type: 'textarea' },
        { key: 'body', type: 'markdown' },
        { key: 'notes', type: 'richtext' },
        { key: 'price', type: 'number' },
      ),
      [undefined, 'body', ['excerpt', 'notes', 'price']],
    )
  })

  test('has the first image field that is named as a cover above its title', () => {
    for (const key of [
      'cover',
      'coverImage',
      'hero',
      'heroImage',
      'banner',
      'featuredImage',
      'image',
      'picture',
      'photo',
    ])
      assert.deepEqual(partsOf({ key: 'other', type: 'media' }, { key, type: 'media' }), [key, undefined, ['other']])
    assert.deepEqual(partsOf({ key: 'hero', type: 'media' }, { key: 'cover', type: 'media' }), [
      'hero',
      undefined,
      ['cover'],
    ])
  })

  test('takes no other file, text or list for a cover', () => {
    assert.deepEqual(
      partsOf(
        { key: 'portrait', type: 'media' },
        { key: 'imageRights', type: 'text' },
        { key: 'cover', type: 'media', accept: ['application/pdf'] },
        { key: 'heroShots', type: 'gallery' },
        {
          key: 'parts',
          type: 'list',
          fields: [
            { key: 'cover', type: 'media' },
            { key: 'text', type: 'richtext' },
          ],
        },
      ),
      [undefined, undefined, ['portrait', 'imageRights', 'cover', 'heroShots', 'parts']],
    )
  })
})
