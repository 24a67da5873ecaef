/** The state of a list: loading, failed, or ready with its rows. */
export type ListState<Row> =
  | { status: 'loading' }
  | { status: 'error'; message: string; onRetry: () => void }
  | { status: 'ready'; rows: readonly Row[] }

type QueryLike<Row> = {
  data: readonly Row[] | undefined
  error: unknown
  refetch: () => unknown
}

/** A query's result as a list state. Rows that are already there stay when a refresh fails. */
export const listState = <Row>(query: QueryLike<Row>, describe: (error: unknown) => string): ListState<Row> => {
  if (query.data) return { status: 'ready', rows: query.data }
  if (query.error) return { status: 'error', message: describe(query.error), onRetry: () => void query.refetch() }
  return { status: 'loading' }
}
