/** What players' pages draw of a module, as data. */

/** A value of the own ship, of the row that it refers to, or of each row of a list. */
export interface PanelField {
  readonly label: string
  readonly column: string
  readonly kind: 'f64' | 'i32' | 'u32' | 'bit' | 'row'
  readonly unit: string
  /** what stands for 0, 1 and so on; empty where numbers are shown */
  readonly words: readonly string[]
  /** column of ships that refers to the row which is shown */
  readonly of?: string
  /** that the reference is to */
  readonly table?: string
}

/** A value that a command is given. */
export interface PanelInput {
  /** in the body of the command */
  readonly name: string
  readonly label: string
  readonly kind: 'number' | 'text' | 'bit' | 'row'
  readonly unit: string
  /** one of its rows is chosen */
  readonly table?: string
}

export interface PanelButton {
  readonly label: string
  readonly command: string
  readonly inputs: readonly PanelInput[]
  /** it is there while this column of the ship is not 0, false or null */
  readonly when?: string
  /** what the body calls the row of a list that the button stands at */
  readonly row?: string
}

/** The rows of a table. */
export interface PanelList {
  readonly label: string
  readonly table: string
  /** name of one row, before its id */
  readonly row: string
  readonly columns: readonly PanelField[]
  readonly buttons: readonly PanelButton[]
  /** whether the map has them; they are on rails */
  readonly marker: boolean
}

export interface ModulePanel {
  readonly title: string
  readonly fields: readonly PanelField[]
  readonly buttons: readonly PanelButton[]
  readonly lists: readonly PanelList[]
}
