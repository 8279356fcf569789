import { type ReactElement, useState } from "react";
import type { ApiCallSummary } from "../../../src/core/api-page.ts";
import { Button } from "../components/button.tsx";
import { VisibleText } from "../components/visible-text.tsx";
import { duration } from "../format.ts";
import { Link } from "../router.ts";

type Row = ApiCallSummary["tools"][number];

const SHOWN = 8;
const [WIDTH, HEIGHT] = [120, 10];

interface ToolDurationsProps {
  readonly tools: readonly Row[];
  /** The address that shows only the calls of this tool. */
  readonly addressOf: (tool: string) => string;
}

/** The number of calls, the failures and the durations of each tool. */
export function ToolDurations({ tools, addressOf }: ToolDurationsProps): ReactElement {
  const [all, setAll] = useState(false);
  const slowest = Math.max(1, ...tools.map(({ p95 }) => p95));
  const rows = all ? tools : tools.slice(0, SHOWN);
  return (
    <div className="stack tight">
      <table className="calls-table">
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col" className="number">
              Calls
            </th>
            <th scope="col" className="number">
              Failed
            </th>
            <th scope="col" className="number">
              p50
            </th>
            <th scope="col" className="number">
              p95
            </th>
            <th scope="col" className="wide-only">
              <span className="visually-hidden">Durations as a chart</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.tool}>
              <th scope="row">
                <Link to={addressOf(row.tool)} className="truncate">
                  <VisibleText>{row.tool}</VisibleText>
                </Link>
              </th>
              <td className="number">{row.calls.toLocaleString("en")}</td>
              <td className={row.failed > 0 ? "number bad" : "number faint"}>{row.failed.toLocaleString("en")}</td>
              <td className="number">{duration(row.p50)}</td>
              <td className="number">{duration(row.p95)}</td>
              <td className="wide-only">
                <DurationBar row={row} slowest={slowest} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {tools.length > rows.length && (
        <div className="row">
          <Button size="small" kind="quiet" onClick={() => setAll(true)}>
            Show all {tools.length} tools
          </Button>
        </div>
      )}
    </div>
  );
}

/** A line from the start to p95, darker up to p50. The scale is logarithmic: tools take from microseconds to minutes. */
function DurationBar({ row, slowest }: { readonly row: Row; readonly slowest: number }): ReactElement {
  const x = (ms: number): number => (Math.log10(1 + ms) / Math.log10(1 + slowest)) * WIDTH;
  return (
    <svg className="duration-bar" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <rect className="chart-track" x={0} y={3} width={WIDTH} height={4} />
      <rect className="chart-p95" x={0} y={3} width={Math.max(1, x(row.p95))} height={4} />
      <rect className="chart-p50" x={0} y={3} width={Math.max(1, x(row.p50))} height={4} />
    </svg>
  );
}
