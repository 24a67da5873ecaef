import type { DemoResult } from '@stoa/cms-model/demo.ts'
import { sendSignedIn } from '../api.ts'

/** Fills the empty site with the demo. */
export const makeDemo = (): Promise<DemoResult> => sendSignedIn<DemoResult>('POST', '/api/demo', { body: {} })
