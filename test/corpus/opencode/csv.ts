import { readFile } from "fs/promises"
import path from "path"
import { tool } from "@opencode-ai/plugin"

type Aggregate = "sum" | "mean" | "count"

/** We keep our tools as classes so that they can be tested without an agent. */
abstract class BaseTool {
  abstract readonly description: string

  protected resolve(directory: string, file: string): string {
    return path.resolve(directory, file)
  }
}

class CsvAggregate extends BaseTool {
  readonly description = "Aggregate a numeric column of a CSV file in the project"

  readonly args = {
    file: tool.schema.string().describe("Path of the file, relative to the project"),
    column: tool.schema.string().describe("Heading of the column"),
    by: tool.schema.enum(["sum", "mean", "count"]).optional().describe("Defaults to sum"),
  }

  async execute(input: { file: string; column: string; by?: Aggregate }, context: { directory: string }) {
    const text = await readFile(this.resolve(context.directory, input.file), "utf-8")
    const [head, ...rows] = text.trim().split("\n").map((line) => line.split(","))
    const index = head!.indexOf(input.column)
    if (index === -1) {
      throw new Error(`Column ${input.column} not found, available columns: ${head!.join(", ")}`)
    }
    const numbers = rows.map((row) => parseFloat(row[index]!)).filter((n) => !isNaN(n))
    return this.aggregate(numbers, input.by ?? "sum")
  }

  private aggregate(numbers: number[], by: Aggregate): string {
    const sum = numbers.reduce((a, b) => a + b, 0)
    switch (by) {
      case "sum":
        return sum.toFixed(2)
      case "mean":
        return (sum / numbers.length).toFixed(2)
      case "count":
        return String(numbers.length)
    }
  }
}

export default new CsvAggregate()
