import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { useIsPhone } from '@stoa/ui/browser/use-media-query.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { useShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import { Forward, Reply, ReplyAll } from 'lucide-react'
import { useIsTaken } from '../compose/inline-slots.ts'
import { useReplyLabel } from './reply-label.ts'
import type { Writing } from './use-writing.ts'

const GROUP = 'Open message'

/** The ways to answer, below the last message. Their keys are about the message that was gone to last. */
export const ReplyBar = ({ message, writing }: { message: MessageItem; writing: Writing }) => {
  const { id, to, cc } = message
  useShortcut({ group: GROUP, keys: 'r', description: 'Reply', onPress: () => writing('reply', id) })
  useShortcut({ group: GROUP, keys: 'a', description: 'Reply to all', onPress: () => writing('reply-all', id) })
  useShortcut({ group: GROUP, keys: 'f', description: 'Forward', onPress: () => writing('forward', id) })
  const isPhone = useIsPhone()
  const whole = useReplyLabel(message)
  const isTaken = useIsTaken(id)
  // The answer that is being written stands in its place
  if (isTaken) return null
  return (
    <div className="flex flex-wrap gap-2 border-line border-t bg-surface px-5 py-4 phone:sticky phone:bottom-0 phone:flex-nowrap phone:px-4 phone:py-2.5 phone:*:flex-1">
      <Button
        icon={<Reply />}
        aria-label={whole}
        onClick={() => writing('reply', id)}
        className="min-w-0 max-w-72 shrink!"
      >
        <span className="truncate">{isPhone ? 'Reply' : whole}</span>
      </Button>
      {to.length + cc.length > 1 ? (
        <Button icon={<ReplyAll />} aria-label="Reply to all" onClick={() => writing('reply-all', id)}>
          {isPhone ? 'All' : 'Reply to all'}
        </Button>
      ) : null}
      <Button icon={<Forward />} onClick={() => writing('forward', id)}>
        Forward
      </Button>
    </div>
  )
}
