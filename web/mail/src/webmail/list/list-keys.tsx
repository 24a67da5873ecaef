import { useShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import { useState } from 'react'
import { LabelMenu } from '../acts/label-menu.tsx'
import { MoveMenu } from '../acts/move-menu.tsx'
import { SnoozeMenu } from '../acts/snooze-menu.tsx'
import type { Target } from '../acts/target.ts'
import { useIdsAhead } from './act-rows.ts'
import { keywordsOf } from './bulk-bar.tsx'
import { archiveAct, flagAct, isJunkPlace, junkAct, seenAct } from './list-acts.ts'
import { actFilter } from './list-view.ts'
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
const ACTS = 'Message actions'

/** The keys of the list. They are about the chosen rows, else the open message, else the row where the keys are. */
export const ListKeys = ({ list, work, openId, onStep, onOpen, onBack, onChoose, onDelete }: ListKeysProps) => {
  const [menu, setMenu] = useState<'label' | 'move' | 'snooze'>()
  const { chosen, place } = list
  const count = chosen.isAll ? 1 : work.rows().length
  const act = (keys: string, description: string, onPress: () => void) => ({
    keys,
    description,
    group: ACTS,
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
  useShortcut(act('e', 'Archive', () => void work.run(archiveAct)))
  useShortcut(act('#', 'Delete', onDelete))
  useShortcut(
    act('!', isJunkPlace(place) ? 'Not junk' : 'Mark as junk', () => void work.run(junkAct(!isJunkPlace(place)))),
  )
  useShortcut(act('s', 'Flag or unflag', () => void work.run(flagAct(!isFlagged()))))
  useShortcut(act('shift+i', 'Mark as read', () => void work.run(seenAct(true))))
  useShortcut(act('shift+u', 'Mark as unread', () => void work.run(seenAct(false))))
  useShortcut(act('l', 'Label', () => setMenu('label')))
  useShortcut(act('v', 'Move to folder', () => setMenu('move')))
  useShortcut(act('z', 'Snooze', () => setMenu('snooze')))
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
    ? { query: actFilter(list.base, list.view.narrow, list.chosen.before), total: list.pages.total ?? 0 }
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
