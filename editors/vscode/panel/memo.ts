/** A component that is drawn again only when one of its properties is another. */
import { Component, createElement, type ComponentType, type FunctionComponent } from 'preact';

export function memo<Props extends object>(inner: FunctionComponent<Props>): ComponentType<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const now = this.props as Record<string, unknown>;
      const then = next as Record<string, unknown>;
      return [...new Set([...Object.keys(now), ...Object.keys(then)])].some((name) => now[name] !== then[name]);
    }

    render() {
      return createElement(inner, this.props as Props);
    }
  };
}
