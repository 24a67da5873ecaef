/** Row type of `tables.sql`, to be joined into a service's own table types. */
export type LimitTables = {
  limit_counter: {
    key: Buffer
    window_start: Date
    window_ms: number
    is_sliding: boolean
    count: number
    previous: number
    ends_at: Date
  }
}
