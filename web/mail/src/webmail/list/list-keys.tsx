import { useShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import { useState } from 'react'
import { LabelMenu } from '../actions/label-menu.tsx'
import { MoveMenu } from '../actions/move-menu.tsx'
import { SnoozeMenu } from '../actions/snooze-menu.tsx'
import type { Target } from '../actions/target.ts'
import { useIdsAhead } from './action-rows.ts'
import { keywordsOf } from './bulk-bar.tsx'
import { archiveAction, flagAction, isJunkPlace, junkAction, seenAction } from './list-actions.ts'
import { actionFilter } from './list-view.ts'
import type { MailList } from './use-mail-list.ts'
import type { RowWork } from './use-row-work.ts'

type ListKeysProps = {
  list: MailList
  work: RowWork
  openId: string | undefined
  onStep: (by: 1 | -1) => void
  onOpen: () => void
  onBack: () => void
  onChoose: () => void
  onDelete: () => void
}

const LIST = 'Messages'
const ACTIONS = 'Message actions'

/** The keys of the list. They are about the chosen rows, else the open message, else the row where the keys are. */
export const ListKeys = ({ list, work, openId, onStep, onOpen, onBack, onChoose, onDelete }: ListKeysProps) => {
  const [menu, setMenu] = useState<'label' | 'move' | 'snooze'>()
  const { chosen, place } = list
  const count = chosen.isAll ? 1 : work.rows().length
  const action = (keys: string, description: string, onPress: () => void) => ({
    keys,
    description,
    group: ACTIONS,
    enabled: count > 0,
    onPress,
  })
  const isFlagged = () => work.rows().every(({ flags }) => flags.flagged)
  useShortcut({ keys: 'j', description: 'Next message', group: LIST, repeats: true, onPress: () => onStep(1) })
  useShortcut({ keys: 'k', description: 'Previous message', group: LIST, repeats: true, onPress: () => onStep(-1) })
  useShortcut({ keys: 'o', description: 'Open', group: LIST, enabled: list.cursor >= 0, onPress: onOpen })
  useShortcut({
    keys: 'u',
    description: 'Back to list',
    group: LIST,
    enabled: openId !== undefined,
    onPress: onBack,
  })
  useShortcut({
    keys: 'x',
    description: 'Select',
    group: LIST,
    enabled: list.cursor >= 0 || openId !== undefined,
    onPress: onChoose,
  })
  useShortcut(action('e', 'Archive', () => void work.run(archiveAction)))
  useShortcut(action('#', 'Delete', onDelete))
  useShortcut(
    action('!', isJunkPlace(place) ? 'Not junk' : 'Mark as junk', () => void work.run(junkAction(!isJunkPlace(place)))),
  )
  useShortcut(action('s', 'Flag or unflag', () => void work.run(flagAction(!isFlagged()))))
  useShortcut(action('shift+i', 'Mark as read', () => void work.run(seenAction(true))))
  useShortcut(action('shift+u', 'Mark as unread', () => void work.run(seenAction(false))))
  useShortcut(action('l', 'Label', () => setMenu('label')))
  useShortcut(action('v', 'Move to folder', () => setMenu('move')))
  useShortcut(action('z', 'Snooze', () => setMenu('snooze')))
  const hasChosen = chosen.isAll || chosen.rows.size > 0
  useShortcut({
    keys: 'escape',
    description: hasChosen ? 'Clear selection' : 'Back to list',
    group: LIST,
    enabled: hasChosen || openId !== undefined,
    onPress: hasChosen ? chosen.clear : onBack,
  })
  return menu === undefined ? null : <KeyMenu kind={menu} list={list} work={work} onClose={() => setMenu(undefined)} />
}

type KeyMenuProps = { kind: 'label' | 'move' | 'snooze'; list: MailList; work: RowWork; onClose: () => void }

/** A menu that a key opened: it hangs at the top of the list. */
const KeyMenu = ({ kind, list, work, onClose }: KeyMenuProps) => {
  const [rows] = useState(work.rows)
  const ids = useIdsAhead(rows)
  const target: Target = list.chosen.isAll
    ? { query: actionFilter(list.base, list.view.narrow, list.chosen.before), total: list.pages.total ?? 0 }
    : { ids }
  const props = {
    target,
    open: true,
    onOpenChange: (open: boolean) => {
      if (!open) onClose()
    },
    trigger: <button type="button" tabIndex={-1} aria-hidden className="absolute top-11 left-9 size-0" />,
  }
  const leave = () => {
    work.leave()
    onClose()
  }
  if (kind === 'label') return <LabelMenu {...props} {...keywordsOf(rows.map(({ keywords }) => keywords))} />
  return kind === 'move' ? <MoveMenu {...props} onDone={leave} /> : <SnoozeMenu {...props} onDone={leave} />
}
