import { createHmac } from 'node:crypto'
import pg from 'pg'
import type { PostgresServer } from './server.ts'

/**
 * Makes sure that the database exists and gives the URL of the role that owns it. The role has the database's name and
 * no other right, so a hole in one service reaches neither the other's data nor the machine.
 */
export const ensureDatabase = async (server: PostgresServer, name: string): Promise<string> => {
  const password = createHmac('sha256', server.password).update(name).digest('base64url')
  const admin = new pg.Client({ connectionString: server.url('postgres') })
  await admin.connect()
  try {
    const id = pg.escapeIdentifier(name)
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
    if (!rowCount) {
      const role = await admin.query('select from pg_roles where rolname = $1', [name])
      if (!role.rowCount) await admin.query(`create role ${id} login password ${pg.escapeLiteral(password)}`)
      await admin.query(`create database ${id} owner ${id}`)
    }
    await admin.query(`revoke all on database ${id} from public`)
  } finally {
    await admin.end()
  }
  return `postgres://${name}:${password}@127.0.0.1:${server.port}/${name}`
}
