import pg from 'pg'

const BEGIN = 'begin'

/** Methods of the driver's query that its types leave out. */
type DriverQuery = pg.Query & {
  callback(error: Error | null, result: pg.QueryResult): void
  prepare(connection: pg.Connection): void
  handleCommandComplete(message: unknown, connection: pg.Connection): void
}

const submit = (client: pg.PoolClient, query: DriverQuery): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    query.callback = (error, result) => (error ? reject(error) : resolve(result))
    client.query(query)
  })

/** Has the server know `begin`, before anything else is sent on a new connection. */
export const prepareBegin = async (client: pg.PoolClient): Promise<void> => {
  const query = new pg.Query({ name: BEGIN, text: BEGIN }) as DriverQuery
  query.prepare = (connection) => {
    connection.parse({ name: BEGIN, text: BEGIN, types: [] }, true)
    connection.sync()
  }
  await submit(client, query)
}

/**
 * Sends the first statement of a transaction together with its `begin`, so that the server skips it should `begin` fail: alone
 * it would be a transaction of its own.
 */
export const queryWithBegin = (client: pg.PoolClient, statement: pg.QueryConfig): Promise<pg.QueryResult> =>
  statement.name === undefined && !statement.values?.length
    ? queryText(client, statement)
    : queryPrepared(client, statement)

/** Sends one text: the server runs nothing after a statement that fails. */
const queryText = async (client: pg.PoolClient, statement: pg.QueryConfig): Promise<pg.QueryResult> => {
  const results: pg.QueryResult | pg.QueryResult[] = await client.query({
    ...statement,
    text: `${BEGIN}; ${statement.text}`,
  })
  return Array.isArray(results) ? (results.at(-1) as pg.QueryResult) : results
}

/** Without a Sync between them, up to which the server skips all behind what fails. */
const queryPrepared = (client: pg.PoolClient, statement: pg.QueryConfig): Promise<pg.QueryResult> => {
  const query = new pg.Query(statement) as DriverQuery
  const { prepare, handleCommandComplete } = query
  let hasBegun = false
  query.prepare = (connection) => {
    connection.bind({ statement: BEGIN }, true)
    connection.execute({}, true)
    prepare.call(query, connection)
  }
  query.handleCommandComplete = (message, connection) => {
    if (hasBegun) handleCommandComplete.call(query, message, connection)
    hasBegun = true
  }
  return submit(client, query)
}
