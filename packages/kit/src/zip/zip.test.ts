import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { type ZipEntry, zipOf } from './zip.ts'

const buffer = async (pieces: AsyncIterable<Buffer>): Promise<Buffer> => Buffer.concat(await Array.fromAsync(pieces))
const AT = new Date('2026-03-01T12:34:56.000Z')
const file = (name: string, ...pieces: string[]): ZipEntry => ({
  name,
  modifiedAt: AT,
  content: pieces.map((piece) => Buffer.from(piece)),
})

/** What the directory at the end says, read as readers do. */
const readZip = (bytes: Buffer): { name: string; text: string }[] => {
  const end = bytes.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
  const isLong = bytes.readUInt32LE(end + 16) === 0xffffffff
  const long = end - 76
  const count = isLong ? Number(bytes.readBigUInt64LE(long + 32)) : bytes.readUInt16LE(end + 10)
  let at = isLong ? Number(bytes.readBigUInt64LE(long + 48)) : bytes.readUInt32LE(end + 16)
  return Array.from({ length: count }, () => {
    assert.equal(bytes.readUInt32LE(at), 0x02014b50)
    const [method, packed, nameLength] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
    ]
    const [extraLength, offset] = [bytes.readUInt16LE(at + 30), bytes.readUInt32LE(at + 42)]
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    at += 46 + nameLength + extraLength
    assert.equal(bytes.readUInt32LE(offset), 0x04034b50)
    const start = offset + 30 + bytes.readUInt16LE(offset + 26)
    const data = bytes.subarray(start, start + packed)
    return { name, text: (method === 8 ? inflateRawSync(data) : data).toString() }
  })
}

describe('a zip file', () => {
  test('holds its entries with their names, folders too', async () => {
    const entries = [file('Grüße/a.txt', 'one ', 'two'), file('empty.txt'), file('folder/')]
    assert.deepEqual(readZip(await buffer(zipOf(entries))), [
      { name: 'Grüße/a.txt', text: 'one two' },
      { name: 'empty.txt', text: '' },
      { name: 'folder/', text: '' },
    ])
    assert.deepEqual(readZip(await buffer(zipOf([]))), [])
  })

  test('may have more entries than 16 bits count', async () => {
    const many = function* () {
      for (let index = 0; index < 66_000; index += 1) yield file(`${index}/`)
    }
    const read = readZip(await buffer(zipOf(many())))
    assert.deepEqual([read.length, read.at(-1)?.name], [66_000, '65999/'])
  })

  test('ends with the error of an entry', async () => {
    const broken: ZipEntry = {
      ...file('x'),
      content: (async function* () {
        yield Buffer.from('x')
        throw new Error('damaged')
      })(),
    }
    await assert.rejects(buffer(zipOf([broken])), /damaged/)
  })

  test('ends with an error when there is no room for its directory', () => {
    // No file may be larger than a few blocks in there.
    const script = `import { zipOf } from '${import.meta.resolve('./zip.ts')}'
      const entries = Array.from({ length: 200 }, (_, at) => ({ name: 'n'.repeat(200) + at, modifiedAt: new Date(), content: [Buffer.from('x')] }))
      try {
        for await (const piece of zipOf(entries)) await new Promise(setImmediate)
        console.log('whole')
      } catch (error) {
        console.log(error.code)
      }`
    const command = `ulimit -f 8; exec "${process.execPath}" --input-type=module -e "$0"`
    const env = { ...process.env, NODE_COMPILE_CACHE: '', NODE_DISABLE_COMPILE_CACHE: '1' }
    const { stdout, stderr } = spawnSync('bash', ['-c', command, script], { env, encoding: 'utf8' })
    assert.equal(stdout, 'EFBIG\n', stderr)
  })

  test('is one to Python as well', async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'zip-'))
    context.after(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'x.zip'), await buffer(zipOf([file('Grüße/a.txt', 'x'.repeat(100_000)), file('d/')])))
    const program = `import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
print(z.testzip(), [(i.filename, i.file_size, i.date_time) for i in z.infolist()])`
    const { stdout, error } = spawnSync('python3', ['-c', program, join(folder, 'x.zip')], { encoding: 'utf8' })
    if (error) return context.diagnostic('there is no Python here')
    assert.equal(
      stdout.trim(),
      "None [('Grüße/a.txt', 100000, (2026, 3, 1, 12, 34, 56)), ('d/', 0, (2026, 3, 1, 12, 34, 56))]",
    )
  })
})
