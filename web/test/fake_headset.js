// A headset for tests, put into the page before its own program: enough of WebXR for one eye and one controller.
//
//     fakeHeadset.pointAt(place)          turns the controller towards a point of the room
//     fakeHeadset.trigger("selectstart")  presses its trigger; "selectend" lets it go
//     fakeHeadset.frames                  pictures that have been drawn

(() => {
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const eye = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1.6, 0, 1];
  // 90 degrees wide, from 0.1 m to 1000 m
  const projection = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1.0002, -1, 0, 0, -0.20002, 0];
  const origin = [0.2, 1.3, 0];  // where the controller is held
  const source = { targetRaySpace: {}, gripSpace: null, hand: null, handedness: "right", targetRayMode: "tracked-pointer" };
  let controller = matrix([0, 0, -1]);

  // Column by column: -z points along `forward`.
  function matrix(forward) {
    const z = unit(forward.map((value) => -value));
    const x = unit(cross([0, 1, 0], z));
    const y = cross(z, x);
    return [...x, 0, ...y, 0, ...z, 0, ...origin, 1];
  }
  function cross(a, b) {
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  }
  function unit(vector) {
    return vector.map((value) => value / Math.hypot(...vector));
  }

  class Session extends EventTarget {
    inputSources = [source];
    renderState = {};
    enabledFeatures = [];
    visibilityState = "visible";
    supportedFrameRates = null;

    updateRenderState(state) {
      Object.assign(this.renderState, state);
    }
    async requestReferenceSpace() {
      // a headset tells of its controllers once the session has begun
      setTimeout(() => this.tell("inputsourceschange", { added: [source], removed: [] }));
      return new EventTarget();
    }
    requestAnimationFrame(draw) {
      return requestAnimationFrame((time) => {
        ++window.fakeHeadset.frames;
        draw(time, this.frame());
      });
    }
    cancelAnimationFrame(handle) {
      cancelAnimationFrame(handle);
    }
    frame() {
      const view = { eye: "none", transform: { matrix: eye }, projectionMatrix: projection };
      return {
        session: this,
        getViewerPose: () => ({ views: [view], transform: { matrix: eye } }),
        getPose: (space) => ({ transform: { matrix: space === source.targetRaySpace ? controller : identity } }),
      };
    }
    tell(type, properties) {
      this.dispatchEvent(Object.assign(new Event(type), properties));
    }
    async end() {
      this.tell("end", {});
    }
  }

  window.XRWebGLBinding = undefined;
  window.XRWebGLLayer = class {
    framebuffer = null;
    framebufferWidth = 640;
    framebufferHeight = 480;
    fixedFoveation = 0;
    getViewport = () => ({ x: 0, y: 0, width: 640, height: 480 });
  };
  WebGL2RenderingContext.prototype.makeXRCompatible = async () => {};
  window.fakeHeadset = {
    frames: 0,
    session: null,
    pointAt({ x, y, z }) {
      controller = matrix([x - origin[0], y - origin[1], z - origin[2]]);
    },
    trigger(type) {
      this.session.tell(type, { inputSource: source, frame: this.session.frame() });
    },
  };
  const xr = Object.assign(new EventTarget(), {
    isSessionSupported: async (mode) => mode === "immersive-vr",
    requestSession: async () => (window.fakeHeadset.session = new Session()),
  });
  Object.defineProperty(navigator, "xr", { value: xr });
})();
