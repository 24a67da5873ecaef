import { Toolbar, ToolbarButton, ToolbarSeparator, ToolbarTextButton } from '@stoa/ui/button/toolbar.tsx'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { ChevronDown, CodeXml, Ellipsis, Maximize2, Minimize2, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  type Action,
  type ActionContext,
  insertActions,
  linkAction,
  listActions,
  markActions,
  rareInsertActions,
  rareMarkActions,
  styleActions,
} from './rich-text-actions.tsx'
import { TableMenu } from './table-menu.tsx'

type EditorToolbarProps = {
  editor: Editor
  context: ActionContext
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

const shownActions = [...markActions, linkAction, ...listActions, ...insertActions]

/** The actions above the text. Alt+F10 goes here from the text, Esc back. */
export const EditorToolbar = (props: EditorToolbarProps) => {
  const { editor, context, disabled, isFullScreen } = props
  const state = useToolbarState(editor)
  const button = (action: Action) => (
    <ToolbarButton
      key={action.id}
      label={action.label}
      icon={action.icon}
      {...(action.shortcut === undefined ? {} : { shortcut: action.shortcut })}
      pressed={action.isOn ? state.on.includes(action.id) : undefined}
      disabled={disabled}
      onClick={() => action.run(editor, context)}
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
      {markActions.map(button)}
      {button(linkAction)}
      <ToolbarSeparator />
      {listActions.map(button)}
      <ToolbarSeparator />
      {insertActions.map((action) =>
        action.id === 'table' && state.on.includes('table') ? (
          <TableMenu key="table-menu" editor={editor} disabled={disabled} onCaption={props.onCaption} />
        ) : (
          button(action)
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

type StyleMenuProps = { editor: Editor; context: ActionContext; disabled: boolean; current: string }

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
    {styleActions.map((action) => (
      <ActionItem key={action.id} action={action} editor={editor} context={context} />
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
    {rareMarkActions.map((action) => (
      <ActionItem key={action.id} action={action} editor={editor} context={context} />
    ))}
    <MenuSeparator />
    {rareInsertActions.map((action) => (
      <ActionItem key={action.id} action={action} editor={editor} context={context} />
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

const ActionItem = ({ action, editor, context }: { action: Action; editor: Editor; context: ActionContext }) => (
  <MenuItem
    icon={action.icon}
    {...(action.shortcut === undefined ? {} : { shortcut: action.shortcut })}
    onSelect={() => action.run(editor, context)}
  >
    {action.label}
  </MenuItem>
)

const useToolbarState = (editor: Editor) =>
  useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      on: shownActions.filter((action) => action.isOn?.(now)).map((action) => action.id),
      style: styleActions.find((action) => action.isOn?.(now))?.label ?? 'Text',
    }),
  })
