/** What sessions of IMAP have been told. */
export type RecentTables = {
  folder_recent: FolderRecentTable
}

export type FolderRecentTable = {
  address_id: string
  folder_id: string
  uid: number
}
