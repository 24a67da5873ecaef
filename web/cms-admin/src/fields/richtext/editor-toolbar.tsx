import { Toolbar, ToolbarButton, ToolbarSeparator, ToolbarTextButton } from '@stoa/ui/button/toolbar.tsx'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { ChevronDown, CodeXml, Ellipsis, Maximize2, Minimize2, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  type Act,
  type ActContext,
  insertActs,
  linkAct,
  listActs,
  markActs,
  rareInsertActs,
  rareMarkActs,
  styleActs,
} from './acts.tsx'
import { TableMenu } from './table-menu.tsx'

type EditorToolbarProps = {
  editor: Editor
  context: ActContext
  disabled: boolean
  isFullScreen: boolean
  onFullScreen: () => void
  onCaption: () => void
  onFind: () => void
  /** Absent for those who may not. */
  onSource?: (() => void) | undefined
  /** The menu of the field, where no label has it. */
  actions?: ReactNode
}

const shownActs = [...markActs, linkAct, ...listActs, ...insertActs]

/** The acts above the text. Alt+F10 goes here from the text, Esc back. */
export const EditorToolbar = (props: EditorToolbarProps) => {
  const { editor, context, disabled, isFullScreen } = props
  const state = useToolbarState(editor)
  const button = (act: Act) => (
    <ToolbarButton
      key={act.id}
      label={act.label}
      icon={act.icon}
      {...(act.shortcut === undefined ? {} : { shortcut: act.shortcut })}
      pressed={act.isOn ? state.on.includes(act.id) : undefined}
      disabled={disabled}
      onClick={() => act.run(editor, context)}
    />
  )
  return (
    <Toolbar
      label="Formatting"
      onLeave={() => editor.commands.focus()}
      className="gap-px! overflow-x-auto px-1 py-1 [scrollbar-width:none]"
    >
      <StyleMenu editor={editor} context={context} disabled={disabled} current={state.style} />
      <ToolbarSeparator />
      {markActs.map(button)}
      {button(linkAct)}
      <ToolbarSeparator />
      {listActs.map(button)}
      <ToolbarSeparator />
      {insertActs.map((act) =>
        act.id === 'table' && state.on.includes('table') ? (
          <TableMenu key="table-menu" editor={editor} disabled={disabled} onCaption={props.onCaption} />
        ) : (
          button(act)
        ),
      )}
      <MoreMenu {...props} />
      <span className="flex-1" />
      <ToolbarButton
        label={isFullScreen ? 'Exit full screen' : 'Full screen'}
        icon={isFullScreen ? <Minimize2 /> : <Maximize2 />}
        onClick={props.onFullScreen}
      />
      {props.actions}
    </Toolbar>
  )
}

type StyleMenuProps = { editor: Editor; context: ActContext; disabled: boolean; current: string }

const StyleMenu = ({ editor, context, disabled, current }: StyleMenuProps) => (
  <Menu
    align="start"
    trigger={
      <ToolbarTextButton disabled={disabled} aria-label={`Style: ${current}`} className="w-26">
        <span className="min-w-0 flex-1 truncate text-left">{current}</span>
        <ChevronDown aria-hidden />
      </ToolbarTextButton>
    }
    onClosed={() => editor.commands.focus()}
  >
    {styleActs.map((act) => (
      <ActItem key={act.id} act={act} editor={editor} context={context} />
    ))}
  </Menu>
)

const MoreMenu = ({ editor, context, disabled, onFind, onSource }: EditorToolbarProps) => (
  <Menu
    align="start"
    trigger={<ToolbarButton label="More" icon={<Ellipsis />} disabled={disabled} />}
    onClosed={() => {
      // A dialog or bar that the item opened has the focus already
      if (document.activeElement === document.body) editor.commands.focus()
    }}
  >
    {rareMarkActs.map((act) => (
      <ActItem key={act.id} act={act} editor={editor} context={context} />
    ))}
    <MenuSeparator />
    {rareInsertActs.map((act) => (
      <ActItem key={act.id} act={act} editor={editor} context={context} />
    ))}
    <MenuSeparator />
    <MenuItem icon={<Search />} shortcut="mod+f" onSelect={onFind}>
      Find and replace
    </MenuItem>
    {onSource ? (
      <MenuItem icon={<CodeXml />} onSelect={onSource}>
        HTML source
      </MenuItem>
    ) : null}
  </Menu>
)

const ActItem = ({ act, editor, context }: { act: Act; editor: Editor; context: ActContext }) => (
  <MenuItem
    icon={act.icon}
    {...(act.shortcut === undefined ? {} : { shortcut: act.shortcut })}
    onSelect={() => act.run(editor, context)}
  >
    {act.label}
  </MenuItem>
)

const useToolbarState = (editor: Editor) =>
  useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      on: shownActs.filter((act) => act.isOn?.(now)).map((act) => act.id),
      style: styleActs.find((act) => act.isOn?.(now))?.label ?? 'Text',
    }),
  })
