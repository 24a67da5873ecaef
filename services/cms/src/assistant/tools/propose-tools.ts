import type { Tool } from './tool.ts'

/** Tools that propose a change: one line each. */
export const proposeTools: readonly Tool[] = []
