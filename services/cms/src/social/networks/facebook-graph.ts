import { createGraph, type GraphRules } from './meta.ts'

export const LABEL = 'Facebook'

/** The session of an upload expects another offset than ours: an answer got lost. */
export const WRONG_OFFSET = 1363037

const rules: GraphRules = {
  label: LABEL,
  subcodes: {
    transient: [1363047, 1609010, WRONG_OFFSET],
    rate: [1390008],
    auth: [1404078],
    policy: [1346003, 1404102, 1404112, 4854002, 1609008],
    duplicate: [1366051],
    invalid: [1366046, 2069019],
  },
}

export const graph = createGraph(rules)
