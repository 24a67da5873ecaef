import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'

/** Sends one statement to wherever this builder belongs: the pool, or one transaction's connection. */
export type RunStatement = (statement: pg.QueryConfig) => Promise<pg.QueryResult>

/** Kysely as a typed SQL builder only: connections and transactions are ours, so that one place watches them. */
export const kyselyOver = <T>(run: RunStatement): Kysely<T> =>
  new Kysely<T>({
    dialect: {
      createAdapter: () => adapter,
      createDriver: () => driverOver(run),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => compiler,
    },
  })

const adapter = new PostgresAdapter()
const compiler = new PostgresQueryCompiler()

const driverOver = (run: RunStatement): Driver => {
  const connection: DatabaseConnection = {
    executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
      const result = await run({ text: query.sql, values: [...query.parameters] })
      const rows: R[] = result.rows
      return result.rowCount === null || result.command === 'SELECT'
        ? { rows }
        : { rows, numAffectedRows: BigInt(result.rowCount) }
    },
    streamQuery: () => refuse('stream'),
  }
  return {
    init: async () => undefined,
    acquireConnection: async () => connection,
    releaseConnection: async () => undefined,
    beginTransaction: () => refuse('begin a transaction'),
    commitTransaction: () => refuse('commit'),
    rollbackTransaction: () => refuse('roll back'),
    destroy: async () => undefined,
  }
}

const refuse = (what: string): never => {
  throw new Error(`The query builder cannot ${what} here: use database.tx`)
}
