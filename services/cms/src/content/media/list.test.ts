import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { picture } from './testing/fixtures.ts'
import { fieldsOf, type Library, refused, startLibrary } from './testing/library.ts'

const LIMIT = 50_000

let library: Library
before(async () => {
  library = await startLibrary({ env: { MAX_UPLOAD_BYTES: String(LIMIT) } })
})
after(() => library.close())

const list = (query: string) => library.editor.client.get(`/api/media?sort=filename&${query}`)
const names = async (query: string) =>
  (await list(query)).body.items.map(({ filename }: { filename: string }) => filename)

describe('the list of files', () => {
  test('is narrowed to who uploaded them and when', async () => {
    const png = await picture('png', 3, 3)
    const started = library.clock.now()
    await library.send(library.author, png, { filename: 'by-author.png' })
    library.clock.advance(24 * 60 * 60 * 1000)
    const later = library.clock.now()
    await library.send(library.editor, png, { filename: 'by-editor.png' })
    const at = (moment: Date) => encodeURIComponent(moment.toISOString())

    assert.deepEqual(await names(`createdBy=${library.author.id}`), ['by-author.png'])
    assert.deepEqual(await names(`createdBy=${newId()}`), [])
    assert.deepEqual(await names(`createdFrom=${at(started)}`), ['by-author.png', 'by-editor.png'])
    assert.deepEqual(await names(`createdFrom=${at(later)}`), ['by-editor.png'])
    assert.deepEqual(await names(`createdBefore=${at(later)}`), ['by-author.png'])
    assert.deepEqual(await names(`createdFrom=${at(started)}&createdBefore=${at(started)}`), [])
    assert.deepEqual(await names(`createdBy=${library.editor.id}&createdBefore=${at(later)}`), [])
    for (const query of ['createdBy=me', 'createdFrom=yesterday', 'createdBefore=2026-03-01']) {
      const answer = await list(query)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, [query.replace(/=.*/, '')]])
    }
  })

  test('is narrowed to the files of these ids', async () => {
    const png = await picture('png', 3, 3)
    const { id: first } = await library.add(png, { filename: 'first.png' })
    const { id: second } = await library.add(png, { filename: 'second.png' })
    assert.deepEqual(await names(`ids=${second},${first},${newId()}`), ['first.png', 'second.png'])
    assert.deepEqual(await names(`ids=${second},${first}&q=second`), ['second.png'])
    assert.deepEqual(await names(`ids=${newId()}`), [])
    for (const ids of ['', 'second', Array.from({ length: 101 }, () => newId()).join(',')]) {
      const answer = await list(`ids=${ids}`)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['ids']])
    }
  })

  test('says up to which size files are taken, and they are', async () => {
    assert.equal((await list('limit=1')).body.meta.maxUploadBytes, LIMIT)
    const padded = async (size: number) => Buffer.concat([await picture('png', 4, 4)], size)
    const largest = await library.add(await padded(LIMIT), { filename: 'largest.png' })
    assert.equal(largest.size, LIMIT)
    const larger = await padded(LIMIT + 1)
    await refused(library, 'PAYLOAD_TOO_LARGE', () => library.send(library.editor, larger))
  })
})
