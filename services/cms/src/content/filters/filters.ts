export { columnOf, filterSql } from './conditions.ts'
export { shownSql } from './fields.ts'
export { isDoubted, LIVE_COPY, newValues, type Scope, type Values, WORKING_COPY, workingColumns } from './scope.ts'
export { MAX_UNINDEXED, unindexedIn } from './unindexed.ts'
