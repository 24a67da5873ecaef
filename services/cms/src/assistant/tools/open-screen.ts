import { type AssistantScreen, assistantScreens } from '@stoa/cms-model/assistant.ts'
import { z } from 'zod'
import { failFields } from '../../errors.ts'
import { tool } from './tool.ts'

/** Screens of one thing. */
const NEED_ID: ReadonlySet<AssistantScreen> = new Set(['entry', 'visual', 'type'])

export const openScreen = tool({
  name: 'open_screen',
  kind: 'move',
  permission: 'content.read',
  description: 'Take the user to an admin screen.',
  input: z.strictObject({
    screen: z.enum(assistantScreens),
    id: z.string().describe('entry id, type name or network').optional(),
  }),
  label: ({ screen }) => `Opening ${screen.replaceAll('_', ' ')}`,
  async run(_reach, { screen, id }) {
    if (!id) {
      if (NEED_ID.has(screen)) failFields([{ key: 'id', message: `is required to open ${screen}` }])
      return { kind: 'navigate', screen }
    }
    // The ID becomes part of an admin URL.
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(id))
      failFields([{ key: 'id', message: 'must be an entry id, a type name or a network' }])
    return { kind: 'navigate', screen, id }
  },
})
