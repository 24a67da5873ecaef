import { cmsMutants } from './cms.ts'
import { kitMutants } from './kit.ts'
import { mailMutants } from './mail.ts'
import type { Mutant } from './mutant.ts'

/** The riskiest rules of both services, each broken in the smallest way that somebody could break it. */
export const mutants: readonly Mutant[] = [...kitMutants, ...cmsMutants, ...mailMutants]
