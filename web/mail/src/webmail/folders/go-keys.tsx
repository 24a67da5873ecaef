import { useShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import { useNavigate } from '@tanstack/react-router'

/** The folders that two keys lead to. */
export const goKeys = [
  { keys: 'g i', place: 'inbox', label: 'Inbox' },
  { keys: 'g s', place: 'sent', label: 'Sent' },
  { keys: 'g d', place: 'drafts', label: 'Drafts' },
  { keys: 'g a', place: 'archive', label: 'Archive' },
  { keys: 'g t', place: 'trash', label: 'Trash' },
  { keys: 'g j', place: 'junk', label: 'Junk' },
  { keys: 'g z', place: 'snoozed', label: 'Snoozed' },
] as const

export const GoKeys = () => goKeys.map((each) => <GoKey key={each.keys} {...each} />)

const GoKey = ({ keys, place, label }: (typeof goKeys)[number]) => {
  const navigate = useNavigate()
  useShortcut({
    keys,
    description: `Go to ${label}`,
    group: 'Folders',
    onPress: () => void navigate({ to: '/webmail/$place', params: { place } }),
  })
  return null
}
