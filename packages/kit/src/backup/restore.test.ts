import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Secret } from '../secret.ts'
import { makeBackup } from './backup.ts'
import { checkBackup } from './check.ts'
import { openDestination } from './destination.ts'
import { listBackups, readManifest } from './manifest.ts'
import { openProtection } from './protection.ts'
import { type RestoreTarget, restoreBackups } from './restore.ts'
import { contentsOf, createBackupGround, type Instance, log } from './testing/ground.ts'

const report = (): undefined => undefined
const restoring = { report, log, otherSecret: false }

describe('restoring', () => {
  let ground: Awaited<ReturnType<typeof createBackupGround>>
  let source: Instance
  let keys: string[]
  before(async () => {
    ground = await createBackupGround()
    const filled = await ground.filled()
    source = filled.instance
    keys = filled.keys
  })
  after(() => ground.close())

  /** A backup of its own, to be damaged. */
  const makeOne = async (name: string, passphrase: Secret | null = null) => {
    const place = ground.inFolder(name)
    await makeBackup(source, { ...place, passphrase, keep: null, report })
    const destination = await openDestination({ ...place, service: 'notes' })
    const protection = await openProtection(destination, passphrase)
    const reopen = async () => {
      const { complete } = await listBackups(destination)
      const manifest = await readManifest(destination, protection, complete[0] ?? 'none')
      return { vault: { destination, protection }, manifest }
    }
    return { ...place, reopen }
  }
  const restore = async (target: RestoreTarget, one: Awaited<ReturnType<typeof makeOne>>, options = restoring) =>
    restoreBackups([{ target, ...(await one.reopen()) }], options)

  test('names whatever is damaged, missing or cut, as the check does, and changes nothing', async () => {
    const target = await ground.empty()
    for (const passphrase of [null, new Secret('correct horse')]) {
      const one = await makeOne(`damaged-${passphrase ? 'sealed' : 'open'}`, passphrase)
      const { manifest } = await one.reopen()
      const note = manifest.tables.find(({ name }) => name === 'note')?.parts[0]?.file ?? ''
      const list = manifest.blobs.parts[0]?.file ?? ''
      const blob = readdirSync(join(one.path, 'blobs'), { recursive: true, encoding: 'utf8' })
        .map((file) => `blobs/${file}`)
        .filter((file) => file.length > 64)
      const [first = '', second = ''] = blob
      const harms: [what: string, file: string, harm: (path: string) => void][] = [
        ['flipped', note, flip],
        ['cut', note, (path) => truncateSync(path, readFileSync(path).length - 1)],
        ['removed', note, rmSync],
        ['flipped', list, flip],
        ['flipped', first, flip],
        ['removed', second, rmSync],
        ['cut', first, (path) => truncateSync(path, 20)],
      ]
      for (const [what, file, harm] of harms) {
        const path = join(one.path, file)
        const bytes = readFileSync(path)
        harm(path)
        const { vault } = await one.reopen()
        const problems = await checkBackup(vault, manifest, report)
        assert.ok(
          problems.some((problem) => problem.includes(file)),
          `${what} ${file}: ${problems.join(' ')}`,
        )
        if (what === 'removed') await assert.rejects(restore(target, one), /nothing was changed/)
        writeFileSync(path, bytes)
      }
      const { vault } = await one.reopen()
      assert.deepEqual(await checkBackup(vault, manifest, report), [])
      const path = join(one.path, 'backups', manifest.id, 'manifest')
      flip(path)
      await assert.rejects(one.reopen(), /manifest is damaged/)
    }
    assert.deepEqual(await contentsOf(target), {})
    for await (const { key } of target.bench.blobs.list()) assert.fail(`${key} was restored`)
  })

  test('finds rows that name a file which the backup does not list', async () => {
    const one = await makeOne('unlisted')
    const { vault, manifest } = await one.reopen()
    const [key = ''] = keys
    const lying = { ...manifest, blobs: { ...manifest.blobs, parts: [], count: 0 } }
    const problems = await checkBackup(vault, lying, report)
    assert.ok(problems.some((problem) => problem.includes(key) && problem.includes("isn't in the backup")))
  })

  test('is refused into a database with tables, of a newer version, and with another SECRET', async () => {
    const one = await makeOne('refused')
    await assert.rejects(restore(source, one), /isn't empty/)
    const target = await ground.empty()
    const older = await createBackupGround()
    rmSync(join(older.migrations, '0002_backup.sql'))
    await assert.rejects(restore({ ...target, migrations: older.migrations }, one), /newer version.*0002_backup/)
    await older.write('0002_backup.sql', 'select 1')
    await assert.rejects(restore({ ...target, migrations: older.migrations }, one), /0002_backup.sql isn't the file/)
    await older.close()
    const other = { ...target, secret: new Secret('another secret of more than thirty-two characters') }
    await assert.rejects(restore(other, one), /SECRET isn't the one/)
    await restore(other, one, { ...restoring, otherSecret: true })
  })

  test('brings an older backup to this version', async () => {
    const one = await makeOne('older')
    await ground.write('0003_later.sql', `alter table author add column born integer; update author set born = 1900`)
    const target = await ground.empty()
    await restore(target, one)
    assert.deepEqual(await target.query('select distinct born from author'), [{ born: 1900 }])
    const names = await target.query('select name from migration_hash order by 1')
    assert.deepEqual(names.at(-1), { name: '0003_later' })
  })
})

const flip = (path: string): void => {
  const bytes = readFileSync(path)
  const at = Math.floor(bytes.length / 2)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at)
  writeFileSync(path, bytes)
}
