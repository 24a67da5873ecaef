export {
  type ByteWindow,
  linkExport,
  linkUpload,
  type MessageBytes,
  putMessage,
  readBlob,
  readBytes,
  streamBlob,
  streamBytes,
} from './blobs/blobs.ts'
export { findUpload, messagesOfBlob, uploadedBytes } from './blobs/uploads.ts'
export { type KindsSince, kindsSince } from './changes/change-kinds.ts'
export type { ChangeCursor } from './changes/changes.ts'
export { type Changes, changesSince, expungedSince, recordObjectChanges } from './changes/changes.ts'
export { DELIMITER, type Folder, findByPath, isInboxName, MAX_DEPTH, splitPath } from './folders/folder-paths.ts'
export {
  type AnyRole,
  FOLDER_ROLES,
  type FolderRole,
  GIVEN_ROLES,
  isStandardRole,
  ROLE_FOLDERS,
} from './folders/folder-roles.ts'
export {
  createFolder,
  ensureFolderPath,
  type FolderUpdate,
  findFolder,
  folderByRole,
  listFolders,
  removeFolder,
  updateFolder,
} from './folders/folders.ts'
export { type FolderStatus, statusOfFolders } from './folders/status.ts'
export type { MailDatabase, MailDb, MailTx } from './handles.ts'
export { type ChangeKind, createMailbox, endStep, mailboxOf, openMailbox, readMailbox } from './mailbox/mailbox.ts'
export type { MetadataEntry } from './mailbox/metadata.ts'
export {
  type Annotated,
  isSharedEntry,
  listMetadata,
  MAX_VALUE_BYTES,
  readEntryName,
  setMetadata,
} from './mailbox/metadata.ts'
export { hasRoom, usedBytes } from './mailbox/quota.ts'
export { endViewing, startViewing } from './mailbox/viewers.ts'
export { type ReadTexts, readRanges, readTexts, WHOLE_BYTES } from './messages/content.ts'
export { copyToMailbox } from './messages/copy-to-mailbox.ts'
export {
  type DeletedMessage,
  forgetDeletedMessages,
  listDeletedMessages,
  restoreDeletedMessages,
} from './messages/deleted.ts'
export { type Duplicate, findDuplicates } from './messages/duplicates.ts'
export {
  type AllFlags,
  type FlagSet,
  listFlags,
  listFlagsAt,
  MAX_ALL_FLAGS,
  MAX_FLAG_ENTRIES,
  readAllFlags,
} from './messages/flags.ts'
export { isKeyword, MAX_KEYWORDS } from './messages/keyword-rules.ts'
export { changeKeywords } from './messages/keywords.ts'
export {
  type EntryQuery,
  getMessages,
  getMessagesAt,
  getWholeMessage,
  getWholeMessages,
  listEntries,
  listUids,
  modseqsOf,
  threadsOf,
  type WholeMessage,
} from './messages/list.ts'
export type { FolderEntry, ListedMessage } from './messages/list-queries.ts'
export { findInMaildrop, type Maildrop, readMaildrop, removeFromFolder } from './messages/maildrop.ts'
export { addMessage } from './messages/messages.ts'
export { copyMessages, moveMessages, moveUids, setFolders } from './messages/moves.ts'
export type { Positions } from './messages/positions.ts'
export { positionsOf } from './messages/positions.ts'
export { type ReadHeader, type ReadMessage, readHeader, readMessage } from './messages/read.ts'
export { parseMessageAsync, readMessageAsync } from './messages/read-async.ts'
export { claimRecent, recentMark } from './messages/recent.ts'
export { destroyMessages, expunge, removeRows, setDeleted } from './messages/removal.ts'
export {
  type Delta,
  type DeltaEntry,
  firstUnread,
  MAX_DELTA,
  readDelta,
  readSelection,
  readSelectionSince,
  type Selection,
} from './messages/selection.ts'
export { snooze } from './messages/snooze.ts'
export {
  listDetails,
  listSourceEntries,
  listSources,
  type MessageDetails,
  type MessageSource,
} from './messages/sources.ts'
export { threadCounts, unreadByFolder } from './messages/thread-counts.ts'
export { type RefusalKind, refuse, StoreRefusal } from './refusal.ts'
export { type Condition, checkFilter, type Filter, isOperator } from './search/filter.ts'
export { findMatches, type Match } from './search/highlight.ts'
export { matchingIds } from './search/matching.ts'
export { queryMessages, queryUids } from './search/query.ts'
export type { SortKey } from './search/query-queries.ts'
export { storable } from './search/text-forms.ts'
export type { FirstAddress, SortMember, SortRow, ThreadedRow } from './search/uid-search.ts'
export { type FolderSearch, querySortRows, queryThreadedRows, queryUidModseqs } from './search/uid-search.ts'
export { SEARCH_FIELDS, type SearchField } from './search/words.ts'
