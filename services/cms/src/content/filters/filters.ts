export { columnOf, filterSql } from './conditions.ts'
export { shownSql } from './fields.ts'
export { LIVE_COPY, mayMisfit, newValues, type Scope, type Values, WORKING_COPY, workingColumns } from './scope.ts'
export { MAX_UNINDEXED, unindexedIn } from './unindexed.ts'
